// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace fluidsplat::sim {

// The D2Q9 lattice: rest, four axis directions, four diagonals, opposite directions side by side.
//
//   8 3 5      Populations are stored as deviations g_i = f_i - w_i from the fluid at rest, so that single
//   2 0 1      precision keeps its digits for the flow.  The equilibrium is the incompressible one (density
//   6 4 7      fluctuations multiply no velocity), which is polynomial in g: no division, no Mach error in
//   steady
//              flow.  Units: one cell, one step, density 1.
constexpr int kDirections = 9;
constexpr std::array<int, kDirections> kCx = {0, 1, -1, 0, 0, 1, -1, 1, -1};
constexpr std::array<int, kDirections> kCy = {0, 0, 0, 1, -1, 1, -1, -1, 1};
constexpr std::array<int, kDirections> kOpposite = {0, 2, 1, 4, 3, 6, 5, 8, 7};
constexpr std::array<float, kDirections> kWeight = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                                    1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
constexpr double kSoundSpeed = 0.57735026918962576;  // 1/sqrt(3)

// Density deviation and velocity.  The pressure is density / 3.
struct Moments {
  float density = 0, u = 0, v = 0;
};

inline float equilibrium(int i, const Moments& m) {
  const float along = float(kCx[i]) * m.u + float(kCy[i]) * m.v;
  return kWeight[i] * (m.density + 3.f * along + 4.5f * along * along - 1.5f * (m.u * m.u + m.v * m.v));
}

// The moments of the nine populations g[0][cell] ... g[8][cell].
template <typename Planes>
inline Moments moments(const Planes& g, long cell) {
  const float east = g[1][cell], west = g[2][cell], north = g[3][cell], south = g[4][cell];
  const float ne = g[5][cell], sw = g[6][cell], se = g[7][cell], nw = g[8][cell];
  return {g[0][cell] + ((east + west) + (north + south)) + ((ne + sw) + (se + nw)),
          (east - west) + ((ne - sw) + (se - nw)), (north - south) + ((ne - sw) - (se - nw))};
}

}  // namespace fluidsplat::sim
