// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/known_readings.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

// A linear law is learnt from at least this many cases, and among at most this many readings.
constexpr Index kFewestCases = 8, kMostReadings = 512;
// Readings are taken to have this much noise, in spreads.  Simulated ones have none, and a law that trusted them to the
// last digit would find fault with every real sensor.
constexpr double kNoise = 0.05;

Index count_readings(const field::SensorLayout& layout) {
  Index count = 0;
  for (const auto& channels : layout.channels) count += std::ssize(channels);
  return count;
}

KnownReadings::Range make_range(Index size) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(size), Eigen::VectorXd::Constant(size, kInfinity),
          Eigen::VectorXd::Constant(size, -kInfinity)};
}

// The columns' mean, spread, least and most; NaN says nothing.
KnownReadings::Range range_of(const std::vector<std::vector<double>>& columns) {
  auto out = make_range(std::ssize(columns));
  for (Index v = 0; v < out.size(); ++v) {
    double sum = 0, count = 0, squares = 0;
    for (double x : columns[v]) {
      if (std::isnan(x)) continue;
      sum += x;
      ++count;
      out.low[v] = std::min(out.low[v], x);
      out.high[v] = std::max(out.high[v], x);
    }
    if (count == 0) {
      out.low[v] = out.high[v] = 0;
      continue;
    }
    out.mean[v] = sum / count;
    for (double x : columns[v])
      if (!std::isnan(x)) squares += (x - out.mean[v]) * (x - out.mean[v]);
    out.spread[v] = std::sqrt(squares / count);
  }
  return out;
}

// Ridge regression of every reading on the others at once, from the inverse of one matrix, and what each leaves over
// for a case that it has not seen (leave-one-out, in closed form).
void learn_law(KnownReadings& known, const std::vector<std::vector<double>>& columns,
               const std::vector<Index>& channel_of) {
  const Index readings = std::ssize(columns), cases = std::ssize(columns.front());
  if (cases < kFewestCases || readings < 2 || readings > kMostReadings) return;
  Eigen::MatrixXd z(cases, readings);
  for (Index v = 0; v < readings; ++v) {
    const double step = known.step(known.of_reading, v, channel_of[v]);
    for (Index k = 0; k < cases; ++k) {
      const double x = columns[v][k];
      z(k, v) = step > 0 && !std::isnan(x) ? (x - known.of_reading.mean[v]) / step : 0;
    }
  }
  const double ridge = double(cases) * kNoise * kNoise;
  const Eigen::MatrixXd gram = z.transpose() * z + ridge * Eigen::MatrixXd::Identity(readings, readings);
  known.precision = gram.llt().solve(Eigen::MatrixXd::Identity(readings, readings));
  const auto& p = known.precision;
  known.residual.resize(readings);
  const Eigen::MatrixXd pz = z * p;
  for (Index v = 0; v < readings; ++v) {
    const double own = p(v, v);
    double squares = 0;
    for (Index k = 0; k < cases; ++k) {
      const double x = z(k, v), cross = pz(k, v) - own * x, all = pz.row(k).dot(z.row(k));
      // How much this case itself moves its own prediction.
      const double leverage = all - 2 * x * cross - own * x * x - cross * cross / own;
      const double left = pz(k, v) / own / std::max(0.05, 1 - leverage);
      squares += left * left;
    }
    // The noise of this reading and, through its weights, of all others.
    const double weights = (p.col(v).squaredNorm() - own * own) / (own * own);
    known.residual[v] = std::sqrt(squares / double(cases) + kNoise * kNoise * (1 + weights));
    // Nothing can be learnt of how one that hardly changed follows from others.
    if (known.of_reading.spread[v] < known.step(known.of_reading, v, channel_of[v])) known.residual[v] = 1;
  }
}

io::Array vector_array(const Eigen::VectorXd& v) {
  return io::Array::from<double>({v.size()}, std::span(v.data(), v.size()));
}

// Checked against the size it must have.
Eigen::VectorXd take(const model::Block& block, const std::string& name, Index size, const std::string& where) {
  const auto it = block.tensors.find(name);
  if (it == block.tensors.end() || it->second.dtype != io::DType::f64 || it->second.count() != size)
    fail("{}: the block \"{}\" should hold {} numbers \"{}\"; the file is damaged", where, kReadingsBlock, size, name);
  const auto values = it->second.as<double>();
  const Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(values.data(), size);
  if (!out.allFinite())
    fail("{}: \"{}\" of the block \"{}\" is not finite; the file is damaged", where, name, kReadingsBlock);
  return out;
}

void put(model::Block& block, const std::string& prefix, const KnownReadings::Range& range) {
  block.tensors[prefix + ".mean"] = vector_array(range.mean);
  block.tensors[prefix + ".spread"] = vector_array(range.spread);
  block.tensors[prefix + ".low"] = vector_array(range.low);
  block.tensors[prefix + ".high"] = vector_array(range.high);
}

KnownReadings::Range take_range(const model::Block& block, const std::string& prefix, Index size,
                                const std::string& where) {
  return {take(block, prefix + ".mean", size, where), take(block, prefix + ".spread", size, where),
          take(block, prefix + ".low", size, where), take(block, prefix + ".high", size, where)};
}

}  // namespace

double KnownReadings::step(const Range& range, Index number, Index channel) const {
  const double size = std::max(std::abs(of_channel.low[channel]), std::abs(of_channel.high[channel]));
  return std::max({range.spread[number], 0.05 * of_channel.spread[channel], 1e-3 * size});
}

KnownReadings learn_readings(const std::vector<field::Matrix>& cases, const field::SensorLayout& layout,
                             bool own_places, bool same_places) {
  const Index channels = cases.empty() ? 0 : cases.front().cols();
  KnownReadings known;
  std::vector<std::vector<double>> by_channel(channels);
  for (const auto& readings : cases)
    for (Index i = 0; i < readings.rows(); ++i)
      for (Index c = 0; c < channels; ++c) by_channel[c].push_back(readings(i, c));
  known.of_channel = range_of(by_channel);
  if (!own_places || cases.empty()) return known;
  std::vector<std::vector<double>> by_reading;
  std::vector<Index> channel_of;
  for (Index i = 0; i < layout.size(); ++i)
    for (int c : layout.channels[i]) {
      channel_of.push_back(c);
      by_reading.emplace_back();
      for (const auto& readings : cases) by_reading.back().push_back(readings(i, c));
    }
  known.of_reading = range_of(by_reading);
  if (same_places && !by_reading.empty()) learn_law(known, by_reading, channel_of);
  return known;
}

model::Block to_block(const KnownReadings& known) {
  model::Block block;
  put(block, "channel", known.of_channel);
  if (known.of_reading.size() > 0) put(block, "reading", known.of_reading);
  if (known.residual.size() > 0) {
    const auto n = known.precision.rows();
    block.tensors["precision"] =
        io::Array::from<double>({n, n}, std::span(known.precision.data(), known.precision.size()));
    block.tensors["residual"] = vector_array(known.residual);
  }
  return block;
}

KnownReadings readings_from_block(const model::Block& block, const model::Description& model,
                                  const std::string& where) {
  KnownReadings known;
  known.of_channel = take_range(block, "channel", std::ssize(model.schema.channels), where);
  const Index readings = count_readings(model.sensors);
  if (block.tensors.contains("reading.mean")) known.of_reading = take_range(block, "reading", readings, where);
  if (known.of_reading.size() > 0 && block.tensors.contains("residual")) {
    known.residual = take(block, "residual", readings, where);
    known.precision = take(block, "precision", readings * readings, where).reshaped(readings, readings);
    if (!(known.residual.minCoeff() > 0) || !(known.precision.diagonal().minCoeff() > 0))
      fail("{}: the block \"{}\" is damaged", where, kReadingsBlock);
  }
  return known;
}

}  // namespace fluidsplat::reconstruct
