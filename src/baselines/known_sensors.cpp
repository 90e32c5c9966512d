// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/known_sensors.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::baselines {
namespace {

KnownSensors::Identity identity_of(const learn::TrainingData& data) {
  const auto& first = data.sensors.of(data.cases.front()).layout.positions;
  const bool fixed = std::ranges::all_of(data.cases, [&](Index i) {
    const auto& positions = data.sensors.of(i).layout.positions;
    return positions.rows() == first.rows() && positions == first;
  });
  if (data.sensors.layout().redraw) return KnownSensors::Identity::kNone;
  if (fixed) return KnownSensors::Identity::kPlace;
  return data.sensors.is_per_case() ? KnownSensors::Identity::kNone : KnownSensors::Identity::kNumber;
}

}  // namespace

KnownSensors::KnownSensors(const learn::TrainingData& data) : identity_(identity_of(data)) {
  const auto& n = data.normalization;
  const auto readings = data.sensors.read(data.dataset.load(data.cases.front()), data.cases.front());
  const auto unit = n.positions(readings.positions);
  std::vector<torch::Tensor> rows;
  for (Index s = 0; s < readings.values.rows(); ++s)
    for (Index c = 0; c < readings.values.cols(); ++c) {
      if (std::isnan(readings.values(s, c))) continue;
      const float mean = readings.mean.size() > 0 ? readings.mean(s, c) : n.readings.mean[c];
      auto row = torch::zeros(columns(unit.cols()));
      for (Index a = 0; a < unit.cols(); ++a) row[a] = unit(s, a);
      const Index d = unit.cols();
      row[d] = double(c);
      row[d + 1] = double(s);
      row[d + 2] = n.channels.normalize(c, mean);
      row[d + 3] = n.readings.scale[c] / n.channels.scale[c];
      row[d + 4] = double(identity_);
      rows.push_back(row);
    }
  if (rows.empty()) fail("{}: no sensor reads anything", data.dataset.name());
  table_ = torch::stack(rows);
}

KnownSensors::KnownSensors(torch::Tensor table) : table_(std::move(table)) {
  if (table_.size(0) > 0) identity_ = Identity(Index(table_[0][table_.size(1) - 1].item<float>()));
}

Index KnownSensors::find(const learn::Observation& o, Index b, Index token) const {
  const auto table = table_.accessor<float, 2>();
  const auto place = o.positions.accessor<float, 3>();
  const Index d = table.size(1) - kColumns, channel = o.channels[b][token].item<std::int64_t>(),
              number = o.sensors[b][token].item<std::int64_t>();
  for (Index s = 0; s < table.size(0); ++s) {
    bool same = Index(table[s][d]) == channel;
    if (identity_ == Identity::kNumber) same = same && Index(table[s][d + 1]) == number;
    if (identity_ == Identity::kPlace)
      for (Index a = 0; a < d; ++a) same = same && std::abs(place[b][token][a] - table[s][a]) < kSamePlace;
    if (same) return s;
  }
  return -1;
}

Said KnownSensors::match(const learn::Observation& o, Index b) const {
  const auto value = o.values.accessor<float, 2>(), present = o.present.accessor<float, 2>();
  const auto table = table_.accessor<float, 2>();
  const Index d = table.size(1) - kColumns;
  struct Row {
    Index sensor, token;
  };
  std::vector<Row> rows;
  for (Index token = 0; token < value.size(1); ++token) {
    // A sensor without identity has the mean and the unit of any other that reads its channel.
    const Index sensor = present[b][token] > 0 ? find(o, b, token) : -1;
    if (sensor >= 0) rows.push_back({sensor, token});
  }
  if (identity_ != Identity::kNone) {
    std::ranges::sort(rows, {}, &Row::sensor);
    const auto repeated = std::ranges::unique(rows, {}, &Row::sensor);
    rows.erase(repeated.begin(), repeated.end());
  }
  Said out;
  const Index n = std::ssize(rows);
  out.readings.resize(n);
  out.values.resize(n);
  std::vector<std::int64_t> tokens;
  for (Index i = 0; i < n; ++i) {
    const auto [sensor, token] = rows[i];
    if (identity_ != Identity::kNone) out.sensors.push_back(sensor);
    out.readings[i] = value[b][token];
    out.channels.push_back(Index(table[sensor][d]));
    out.values[i] = double(value[b][token]) * table[sensor][d + 3] + table[sensor][d + 2];
    tokens.push_back(token);
  }
  out.positions = o.positions[b].index_select(0, torch::tensor(tokens, torch::kInt64));
  return out;
}

}  // namespace fluidsplat::baselines
