// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/normalizer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

// Mean and variance of columns, blocks weighing the same whatever their number of rows.
class Moments {
 public:
  explicit Moments(std::size_t columns) : sum_(columns), square_(columns) {}

  void add(const Matrix& block) {
    ++blocks_;
    for (Eigen::Index c = 0; c < block.cols(); ++c) {
      const auto column = block.col(c).cast<double>();
      sum_[static_cast<std::size_t>(c)] += column.mean();
      square_[static_cast<std::size_t>(c)] += column.squaredNorm() / static_cast<double>(block.rows());
    }
  }

  Scaling scaling() const {
    Scaling out;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      const double mean = sum_[c] / blocks_, variance = square_[c] / blocks_ - mean * mean;
      const double floor = 1e-12 * (square_[c] / blocks_);
      out.mean.push_back(static_cast<float>(mean));
      out.scale.push_back(variance > floor ? static_cast<float>(std::sqrt(variance)) : 1.0f);
    }
    return out;
  }

 private:
  std::vector<double> sum_, square_;
  int blocks_ = 0;
};

}  // namespace

void Scaling::normalize(Eigen::Ref<Matrix> values) const {
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    const auto k = static_cast<std::size_t>(c);
    values.col(c) = (values.col(c).array() - mean[k]) / scale[k];
  }
}

void Scaling::restore(Eigen::Ref<Matrix> values) const {
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    const auto k = static_cast<std::size_t>(c);
    values.col(c) = values.col(c).array() * scale[k] + mean[k];
  }
}

Matrix Normalizer::positions(const Matrix& physical) const {
  Matrix out(physical.rows(), physical.cols());
  for (Eigen::Index a = 0; a < physical.cols(); ++a) {
    const double low = domain.low[static_cast<std::size_t>(a)],
                 high = domain.high[static_cast<std::size_t>(a)];
    const double inverse = high > low ? 1.0 / (high - low) : 1.0;
    out.col(a) = ((physical.col(a).cast<double>().array() - low) * inverse).cast<float>();
  }
  return out;
}

Normalizer fit_normalizer(const Dataset& dataset, const std::vector<std::int64_t>& cases) {
  if (cases.empty()) fail("{}: no training cases to normalise by", dataset.name());
  const Schema& schema = dataset.schema();
  Moments channels(schema.channels.size()), features(schema.features.size()),
      descriptors(schema.descriptors.size());
  std::set<std::int64_t> meshes;
  for (auto index : cases) {
    const Case c = dataset.load(index);
    channels.add(c.fields);
    descriptors.add(c.descriptors.transpose());
    if (meshes.insert(dataset.mesh_of(index)).second) features.add(c.mesh->features);
  }
  return {dataset.domain(), channels.scaling(), features.scaling(), descriptors.scaling(),
          channels.scaling()};
}

ReadingStatistics fit_readings(const std::vector<Matrix>& readings, const Scaling& fallback) {
  const auto sensors = readings.front().rows(), channels = readings.front().cols();
  ReadingStatistics out{Matrix(sensors, channels), fallback};
  for (Eigen::Index c = 0; c < channels; ++c) {
    const auto k = static_cast<std::size_t>(c);
    double all = 0, all_count = 0, variance = 0;
    std::vector<Eigen::Index> silent;
    for (Eigen::Index i = 0; i < sensors; ++i) {
      double sum = 0, square = 0, count = 0;
      for (const auto& r : readings)
        if (!std::isnan(r(i, c))) {
          sum += r(i, c);
          square += static_cast<double>(r(i, c)) * r(i, c);
          ++count;
        }
      if (count == 0) {
        silent.push_back(i);
        continue;
      }
      out.usual(i, c) = static_cast<float>(sum / count);
      variance += square - sum * sum / count;
      all += sum;
      all_count += count;
    }
    if (all_count > 0) {
      out.scaling.mean[k] = static_cast<float>(all / all_count);
      const double spread = std::sqrt(std::max(0.0, variance / all_count));
      if (spread > 1e-6 * fallback.scale[k]) out.scaling.scale[k] = static_cast<float>(spread);
    }
    for (auto i : silent) out.usual(i, c) = out.scaling.mean[k];
  }
  return out;
}

}  // namespace fluidsplat::field
