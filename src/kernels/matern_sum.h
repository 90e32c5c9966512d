// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"

namespace fluidsplat::kernels {

// Weighted Matern 5/2 kernels about some centres: sum_s weights[s][c] * k(|y - centres[s]|), k(r) = (1 + r + r^2 / 3)
// exp(-r).
struct MaternSum {
  const float* centres = nullptr;  // [count][D]
  const float* weights = nullptr;  // [count][C]
  Index count = 0, dim = 0, channels = 0;
};

// At `points` places given axis by axis, [D][stride]: values [C][stride] and, unless null, derivatives by place
// [C][D][stride].  `stride` is a multiple of sum_lanes(); places past `points` up to such a multiple are read and
// written too.  Every place's result depends on that place alone.
Index sum_lanes();
void matern_sum(const MaternSum& sum, const float* places, Index points, Index stride, float* values, float* slopes);

}  // namespace fluidsplat::kernels
