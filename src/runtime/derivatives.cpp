// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/derivatives.h"

#include <string>

namespace fluidsplat::runtime {
namespace {

std::optional<Index> find_channel(const model::Schema& schema, const std::string& name) {
  for (Index i = 0; i < std::ssize(schema.channels); ++i)
    if (schema.channels[i].name == name) return i;
  return std::nullopt;
}

}  // namespace

std::optional<std::array<Index, 3>> find_velocity(const model::Schema& schema) {
  const std::array<std::array<const char*, 3>, 6> families = {{{"u", "v", "w"},
                                                               {"U", "V", "W"},
                                                               {"Ux", "Uy", "Uz"},
                                                               {"ux", "uy", "uz"},
                                                               {"u_x", "u_y", "u_z"},
                                                               {"velocity_x", "velocity_y", "velocity_z"}}};
  for (const auto& names : families) {
    std::array<Index, 3> found{};
    bool all = true;
    for (Index i = 0; i < schema.dim(); ++i) {
      const auto channel = find_channel(schema, names[i]);
      all = all && channel;
      if (channel) found[i] = *channel;
    }
    if (all) return found;
  }
  return std::nullopt;
}

void store_derivatives(const ModelDescription& d, const std::array<Index, 3>& velocity, const float* jacobian,
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
