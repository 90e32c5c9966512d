// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/derivatives.h"

#include <string>

namespace fluidsplat::runtime {
namespace {

std::optional<std::size_t> find_channel(const ModelDescription& d, const std::string& name) {
  for (std::size_t i = 0; i < d.channels.size(); ++i)
    if (d.channels[i].name == name) return i;
  return std::nullopt;
}

}  // namespace

std::optional<std::array<std::size_t, 3>> find_velocity(const ModelDescription& d) {
  const std::array<std::array<const char*, 3>, 6> families = {{{"u", "v", "w"},
                                                               {"U", "V", "W"},
                                                               {"Ux", "Uy", "Uz"},
                                                               {"ux", "uy", "uz"},
                                                               {"u_x", "u_y", "u_z"},
                                                               {"velocity_x", "velocity_y", "velocity_z"}}};
  for (const auto& names : families) {
    std::array<std::size_t, 3> found{};
    bool all = true;
    for (std::size_t i = 0; i < d.shape.dim; ++i) {
      const auto channel = find_channel(d, names[i]);
      all = all && channel;
      if (channel) found[i] = *channel;
    }
    if (all) return found;
  }
  return std::nullopt;
}

void store_derivatives(const ModelDescription& d, const std::array<std::size_t, 3>& velocity,
                       const float* jacobian, std::size_t first, std::size_t count, const Outputs& out) {
  const std::size_t c = d.shape.channels, dim = d.shape.dim;
  for (std::size_t i = 0; i < count; ++i) {
    const float* j = jacobian + i * c * dim;
    const std::size_t point = first + i;
    // d channel / d axis in physical units.
    const auto slope = [&](std::size_t channel, std::size_t axis) {
      return static_cast<float>(j[channel * dim + axis] * d.channels[channel].scale /
                                (d.high[axis] - d.low[axis]));
    };
    if (out.gradient)
      for (std::size_t k = 0; k < c * dim; ++k) out.gradient[point * c * dim + k] = slope(k / dim, k % dim);
    if (out.divergence) {
      float sum = 0;
      for (std::size_t axis = 0; axis < dim; ++axis) sum += slope(velocity[axis], axis);
      out.divergence[point] = sum;
    }
    if (!out.vorticity) continue;
    const auto turn = [&](std::size_t a, std::size_t b) {
      return slope(velocity[b], a) - slope(velocity[a], b);
    };
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
