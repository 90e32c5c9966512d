// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/derivatives.h"

namespace fluidsplat::runtime {
void store_derivatives(const ModelDescription& d, const std::vector<Index>& velocity, const float* jacobian,
                       Index first, Index count, const Outputs& out) {
  const Index c = d.spec.channels, dim = d.spec.dim;
  const auto& box = d.normalization.domain;
  for (Index i = 0; i < count; ++i) {
    const float* j = jacobian + i * c * dim;
    const Index point = first + i;
    // d channel / d axis in physical units.
    const auto slope = [&](Index channel, Index axis) {
      return float(j[channel * dim + axis] * d.normalization.channels.scale[channel] /
                   (box.high[axis] - box.low[axis]));
    };
    if (out.gradient)
      for (Index k = 0; k < c * dim; ++k) out.gradient[point * c * dim + k] = slope(k / dim, k % dim);
    if (out.divergence) {
      float sum = 0;
      for (Index axis = 0; axis < dim; ++axis) sum += slope(velocity[axis], axis);
      out.divergence[point] = sum;
    }
    if (!out.vorticity) continue;
    const auto turn = [&](Index a, Index b) { return slope(velocity[b], a) - slope(velocity[a], b); };
    if (dim == 2) {
      out.vorticity[point] = turn(0, 1);
    } else {
      out.vorticity[point * 3] = turn(1, 2);
      out.vorticity[point * 3 + 1] = turn(2, 0);
      out.vorticity[point * 3 + 2] = turn(0, 1);
    }
  }
}

}  // namespace fluidsplat::runtime
