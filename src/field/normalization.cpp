// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/normalization.h"

#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

// Mean and variance of columns, blocks weighing the same whatever their number of rows.
class Moments {
 public:
  explicit Moments(std::size_t columns) : sum_(columns), square_(columns) {}

  void add(const Matrix& block) { add_part(block, block.rows(), true); }
  // Some of the `rows` rows of a block; `last` says that they are all there now.
  void add_part(const Matrix& part, Index rows, bool last) {
    part_sum_.resize(sum_.size(), 0);
    part_square_.resize(sum_.size(), 0);
    for (Index c = 0; c < part.cols(); ++c) {
      const auto column = part.col(c).cast<double>();
      part_sum_[c] += column.sum();
      part_square_[c] += column.squaredNorm();
    }
    if (!last) return;
    ++blocks_;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      sum_[c] += std::exchange(part_sum_[c], 0) / double(rows);
      square_[c] += std::exchange(part_square_[c], 0) / double(rows);
    }
  }

  Scaling scaling() const {
    Scaling out;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      const double mean = sum_[c] / blocks_, variance = square_[c] / blocks_ - mean * mean;
      const double floor = 1e-12 * (square_[c] / blocks_);
      out.mean.push_back(float(mean));
      out.scale.push_back(variance > floor ? float(std::sqrt(variance)) : 1.0f);
    }
    return out;
  }

 private:
  std::vector<double> sum_, square_, part_sum_, part_square_;
  int blocks_ = 0;
};

}  // namespace

Normalization fit_normalization(const Dataset& dataset, const std::vector<Index>& cases, const Matrix& base) {
  if (cases.empty()) fail("{}: no training cases to normalise by", dataset.name());
  const Schema& schema = dataset.schema();
  Moments channels(schema.channels.size()), features(schema.features.size()), descriptors(schema.descriptors.size());
  std::set<Index> meshes;
  for (auto index : cases) {
    const auto mesh = dataset.mesh_of(index);
    const auto points = dataset.outline(mesh).points;
    const bool fresh = meshes.insert(mesh).second && !schema.features.empty();
    in_parts(points, [&](Index first, Index count) {
      const bool last = first + count == points;
      Matrix values = dataset.values_in(index, first, count);
      if (base.rows() > 0) values -= base.middleRows(first, count);
      channels.add_part(values, points, last);
      if (fresh) features.add_part(dataset.points_in(mesh, first, count).features, points, last);
    });
    descriptors.add(dataset.without_fields(index).descriptors.transpose());
  }
  return {dataset.domain(), channels.scaling(), features.scaling(), descriptors.scaling(), channels.scaling()};
}

ReadingStatistics fit_readings(const std::vector<Matrix>& readings, const Scaling& fallback) {
  const auto sensors = readings.front().rows(), channels = readings.front().cols();
  ReadingStatistics out{Matrix(sensors, channels), fallback};
  for (Index c = 0; c < channels; ++c) {
    const std::size_t k = c;
    double all = 0, all_count = 0, variance = 0;
    std::vector<Index> silent;
    for (Index i = 0; i < sensors; ++i) {
      double sum = 0, square = 0, count = 0;
      for (const auto& r : readings)
        if (!std::isnan(r(i, c))) {
          sum += r(i, c);
          square += double(r(i, c)) * r(i, c);
          ++count;
        }
      if (count == 0) {
        silent.push_back(i);
        continue;
      }
      out.mean_readings(i, c) = float(sum / count);
      variance += square - sum * sum / count;
      all += sum;
      all_count += count;
    }
    if (all_count > 0) {
      out.scaling.mean[k] = float(all / all_count);
      const double deviation = std::sqrt(std::max(0.0, variance / all_count));
      if (deviation > 1e-6 * fallback.scale[k]) out.scaling.scale[k] = float(deviation);
    }
    for (auto i : silent) out.mean_readings(i, c) = out.scaling.mean[k];
  }
  return out;
}

}  // namespace fluidsplat::field
