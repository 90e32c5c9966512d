// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classical/kriging.h"
#include "kernels/buffer.h"
#include "runtime/description.h"

namespace fluidsplat::runtime {

// What a plan's sensors say beyond the model's own answer, carried to their neighbourhood (classical/kriging.h).
// Allocates nothing after construction.
class Correction {
 public:
  // For blocks of at most `block` points, a multiple of kernels::sum_lanes().
  Correction(const classical::Kriging& kriging, const ModelDescription& description, const SensorLayout& sensors,
             Index block, bool gradients, int threads);
  // The model's own answer at the sensors and what these say, [sensors][C] each, physical.
  void observe(const float* positions, const float* answers, const float* readings);
  // At points in the unit box, [count][d]: added to the model's own answer [count][C] (physical) and, unless null, to
  // its Jacobian [count][C][d] (of fields over their scale, by positions in the unit box).
  void apply(const float* positions, Index count, float* field, float* jacobian);
  Index bytes() const;

 private:
  const ModelDescription& d_;
  double noise_;
  classical::KrigingSpace space_;
  classical::KrigingWeights solver_;
  std::vector<bool> measures_;  // [sensors][C]
  kernels::Buffer centres_, missed_, weights_;
  kernels::Buffer places_, values_, slopes_;  // of a block, axis by axis
  Index sensors_, block_;
  int threads_;
};

}  // namespace fluidsplat::runtime
