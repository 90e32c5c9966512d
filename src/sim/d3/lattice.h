// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/index.h"

namespace fluidsplat::sim::d3 {

struct Vec3 {
  double x = 0, y = 0, z = 0;
};

// The D3Q19 lattice: rest, six axis directions, twelve diagonals of faces, opposite directions side by side.  As in two
// dimensions (sim/lattice.h) populations are deviations g_i = f_i - w_i from the fluid at rest and the equilibrium is
// the incompressible one: single precision keeps its digits for the flow, and steady flow has no Mach error.  Units:
// one cell, one step, density 1.
constexpr int kDirections = 19;
constexpr std::array<int, kDirections> kCx = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
constexpr std::array<int, kDirections> kCy = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
constexpr std::array<int, kDirections> kCz = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
constexpr float kRestWeight = 1.f / 3, kAxisWeight = 1.f / 18, kDiagonalWeight = 1.f / 36;

constexpr int opposite(int direction) {
  return direction == 0 ? 0 : direction % 2 == 1 ? direction + 1 : direction - 1;
}
constexpr float weight(int direction) {
  return direction == 0 ? kRestWeight : direction < 7 ? kAxisWeight : kDiagonalWeight;
}

// Density deviation and velocity.  The pressure is density / 3.
struct Moments {
  float density = 0, u = 0, v = 0, w = 0;
};

inline float equilibrium(int i, const Moments& m) {
  const float along = float(kCx[i]) * m.u + float(kCy[i]) * m.v + float(kCz[i]) * m.w;
  const float square = m.u * m.u + m.v * m.v + m.w * m.w;
  return weight(i) * (m.density + 3.f * along + 4.5f * along * along - 1.5f * square);
}

}  // namespace fluidsplat::sim::d3
