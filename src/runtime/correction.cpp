// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/correction.h"

#include <algorithm>
#include <limits>

#include "kernels/matern_sum.h"

namespace fluidsplat::runtime {

Correction::Correction(const classical::Kriging& kriging, const ModelDescription& d, const SensorLayout& sensors,
                       Index block, bool gradients, int threads)
    : d_(d),
      noise_(kriging.noise),
      space_(kriging, d.normalization),
      solver_(sensors.size(), d.spec.channels),
      measures_(sensors.size() * d.spec.channels),
      sensors_(sensors.size()),
      block_(block),
      threads_(threads) {
  for (Index s = 0; s < sensors_; ++s)
    for (const int c : sensors.channels[s]) measures_[s * d.spec.channels + c] = true;
  centres_ = kernels::Buffer(sensors_ * space_.dim());
  missed_ = kernels::Buffer(sensors_ * d.spec.channels);
  weights_ = kernels::Buffer(sensors_ * d.spec.channels);
  places_ = kernels::Buffer(block * space_.dim());
  values_ = kernels::Buffer(block * d.spec.channels);
  slopes_ = kernels::Buffer(gradients ? block * d.spec.channels * space_.dim() : 0);
}

void Correction::observe(const float* positions, const float* answers, const float* readings) {
  const Index c = d_.spec.channels;
  space_.place(positions, answers, sensors_, space_.dim(), 1, centres_.data());
  for (Index i = 0; i < sensors_ * c; ++i)
    missed_.data()[i] = measures_[i] ? (readings[i] - answers[i]) / d_.normalization.channels.scale[i % c]
                                     : std::numeric_limits<float>::quiet_NaN();
  solver_.solve(centres_.data(), space_.dim(), noise_, missed_.data(), weights_.data());
}

void Correction::apply(const float* positions, Index count, float* field, float* jacobian) {
  const Index c = d_.spec.channels, d = d_.spec.dim, axes = space_.dim(), lanes = kernels::sum_lanes();
  const kernels::MaternSum sum{centres_.data(), weights_.data(), sensors_, axes, c};
  space_.place(positions, field, count, 1, block_, places_.data());
  const Index share = (count + threads_ - 1) / threads_, part = (share + lanes - 1) / lanes * lanes;
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
  for (Index first = 0; first < count; first += part)
    kernels::matern_sum(sum, places_.data() + first, std::min(part, count - first), block_, values_.data() + first,
                        jacobian ? slopes_.data() + first : nullptr);
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < c; ++k)
      field[i * c + k] += values_.data()[k * block_ + i] * d_.normalization.channels.scale[k];
  if (!jacobian) return;
  // The correction depends on a position by itself and by what the model answers there.
  for (Index i = 0; i < count; ++i)
    for (Index a = 0; a < d; ++a) {
      float* column = jacobian + i * c * d + a;
      for (Index k = 0; k < c; ++k) {
        const float* slope = slopes_.data() + k * axes * block_ + i;
        float sum = slope[a * block_] * space_.axes()[a];
        for (Index j = 0; j < c; ++j) sum += slope[(d + j) * block_] * space_.per_answer() * column[j * d];
        values_.data()[k * block_ + i] = sum;
      }
      for (Index k = 0; k < c; ++k) column[k * d] += values_.data()[k * block_ + i];
    }
}

Index Correction::bytes() const {
  return (places_.size() + values_.size() + slopes_.size() + centres_.size() + missed_.size() + weights_.size()) *
         Index{sizeof(float)};
}

}  // namespace fluidsplat::runtime
