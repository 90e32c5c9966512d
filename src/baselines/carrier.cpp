// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/carrier.h"

#include <algorithm>
#include <cmath>

#include "baselines/matrices.h"
#include "field/all_places.h"

namespace fluidsplat::baselines {
namespace {

using model::Matrix;

constexpr double kFewest = 1024, kMost = 32768;  // nodes of a background grid
// Sensors are fewer; what is around them is found at once, and is not what is asked for again.
constexpr Index kManyPositions = 1024;

bool share_a_mesh(const learn::TrainingData& data) {
  const auto first = data.dataset.mesh_of(data.cases.front());
  return std::ranges::all_of(data.cases, [&](Index i) { return data.dataset.mesh_of(i) == first; });
}

// The domain's sides as shares of the longest.
torch::Tensor aspect_of(const model::Box& domain) {
  const Index d = std::ssize(domain.low);
  auto out = torch::ones({1, d});
  double longest = 0;
  for (Index a = 0; a < d; ++a) longest = std::max(longest, domain.high[a] - domain.low[a]);
  for (Index a = 0; a < d; ++a)
    if (domain.high[a] > domain.low[a]) out[0][a] = (domain.high[a] - domain.low[a]) / longest;
  return out;
}

// Nodes of equal distance along all axes.
torch::Tensor grid_nodes(const torch::Tensor& aspect, double count) {
  const Index d = aspect.size(1);
  const double spacing = std::pow(aspect.prod().item<double>() / count, 1 / double(d));
  std::vector<torch::Tensor> axes;
  for (Index a = 0; a < d; ++a) {
    const double side = aspect[0][a].item<double>();
    axes.push_back(torch::linspace(0, side, std::max<Index>(2, std::lround(side / spacing) + 1)));
  }
  std::vector<torch::Tensor> columns;
  for (const auto& column : torch::meshgrid(axes, "ij")) columns.push_back(column.reshape(-1));
  return torch::stack(columns, 1).contiguous();
}

}  // namespace

Carrier::Carrier(torch::Tensor places, torch::Tensor aspect) : places_(places.contiguous()), aspect_(aspect) {
  points_ =
      std::make_unique<Matrix>(Eigen::Map<const Matrix>(places_.data_ptr<float>(), places_.size(0), places_.size(1)));
  interpolation_ = std::make_unique<model::ScatteredInterpolation>(*points_);
}

Carrier Carrier::of(const learn::TrainingData& data) {
  const auto aspect = aspect_of(data.normalization.domain);
  if (share_a_mesh(data)) {
    const auto mesh = data.dataset.mesh(data.dataset.mesh_of(data.cases.front()));
    Carrier out(to_tensor(data.normalization.positions(field::all_places(*mesh))) * aspect, aspect);
    out.is_mesh_ = true;
    return out;
  }
  double points = 0;
  for (const Index i : data.cases)
    points += double(data.dataset.mesh(data.dataset.mesh_of(i))->size()) / double(data.cases.size());
  return {grid_nodes(aspect, std::clamp(points, kFewest, kMost)), aspect};
}

Carrier Carrier::on_mesh(const learn::TrainingData& data, const field::Mesh& mesh) const {
  return {to_tensor(data.normalization.positions(field::all_places(mesh))) * aspect_, aspect_};
}

Matrix Carrier::carry(const learn::TrainingData& data, Index case_index, const Carrier& own) const {
  const auto c = data.dataset.load(case_index);
  auto fields = field::fields_at_places(c);
  data.normalization.channels.normalize(fields);
  if (is_mesh_) return fields;
  const auto moved = own.look_up(to_tensor(fields).view({1, -1}), fields.cols(), places_ / aspect_).contiguous();
  return Eigen::Map<const Matrix>(moved.data_ptr<float>(), size(), fields.cols());
}

bool Carrier::are_places(const torch::Tensor& in_space, const torch::Tensor& points) const {
  if (!points.defined() || points.size(0) == 0 || points.max().item<std::int64_t>() >= size()) return false;
  return (places_.index_select(0, points) - in_space).abs().max().item<float>() < 1e-6f;
}

std::shared_ptr<const Carrier::Neighbours> Carrier::neighbours(const torch::Tensor& in_space) const {
  const Index queries = in_space.size(0);
  const bool keep = queries >= kManyPositions;
  if (keep) {
    const std::scoped_lock lock(last_->mutex);
    if (last_->found && torch::equal(last_->found->positions, in_space)) return last_->found;
  }
  constexpr Index kMost = model::ScatteredInterpolation::Weights::kMost;
  std::vector<std::uint32_t> place(queries * kMost);
  std::vector<float> weight(queries * kMost);
  auto out = std::make_shared<Neighbours>();
  out->positions = in_space;
  out->first.resize(queries + 1);
#pragma omp parallel for
  for (Index q = 0; q < queries; ++q) {
    const auto found = interpolation_->at(in_space.data_ptr<float>() + q * in_space.size(1));
    out->first[q + 1] = found.count;
    for (Index k = 0; k < found.count; ++k) {
      place[q * kMost + k] = found.point[k];
      weight[q * kMost + k] = float(found.value[k]);
    }
  }
  for (Index q = 0; q < queries; ++q) {
    const auto from = q * kMost, count = out->first[q + 1];
    out->place.insert(out->place.end(), place.begin() + from, place.begin() + from + count);
    out->weight.insert(out->weight.end(), weight.begin() + from, weight.begin() + from + count);
    out->first[q + 1] += out->first[q];
  }
  if (keep) {
    const std::scoped_lock lock(last_->mutex);
    last_->found = out;
  }
  return out;
}

torch::Tensor Carrier::look_up(const torch::Tensor& fields, Index channels, const torch::Tensor& positions,
                               const torch::Tensor& points) const {
  const Index count = fields.size(0), queries = positions.size(0);
  const auto space = in_space(positions).contiguous();
  const auto rows = fields.view({count, size(), channels});
  if (are_places(space, points)) {
    const Index first = points[0].item<std::int64_t>();
    const bool in_a_row = torch::equal(points, torch::arange(first, first + queries, torch::kInt64));
    return in_a_row ? rows.narrow(1, first, queries) : rows.index_select(1, points);
  }
  auto out = torch::zeros({count, queries, channels});
  const float* from = rows.data_ptr<float>();
  float* to = out.data_ptr<float>();
  const auto around = neighbours(space);
#pragma omp parallel for
  for (Index q = 0; q < queries; ++q)
    for (Index f = 0; f < count; ++f)
      for (Index k = around->first[q]; k < around->first[q + 1]; ++k)
        for (Index c = 0; c < channels; ++c)
          to[(f * queries + q) * channels + c] +=
              around->weight[k] * from[(f * size() + Index(around->place[k])) * channels + c];
  return out;
}

torch::Tensor Carrier::look_up_sum(const torch::Tensor& amounts, const torch::Tensor& fields, Index channels,
                                   const torch::Tensor& positions, const torch::Tensor& points) const {
  if (are_places(in_space(positions).contiguous(), points)) {
    const auto there = look_up(fields, channels, positions, points);
    return torch::matmul(amounts, there.reshape({there.size(0), -1})).view({there.size(1), channels});
  }
  // One field is looked up sooner than all.
  return look_up(torch::matmul(amounts, fields), channels, positions, points)[0];
}

}  // namespace fluidsplat::baselines
