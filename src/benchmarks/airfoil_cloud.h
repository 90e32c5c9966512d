// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "base/index.h"
#include "sim/naca.h"

namespace fluidsplat::benchmarks {

// Points around an airfoil as a mesh for solvers has them: rings from the wall to the edges of AirfRANS's box
// (x in [-2, 4], y in [-1.5, 1.5], in chords), the first a thousandth of a chord or two from the wall, each farther
// from the one before.  Point (ring, i) is ring * around + i; ring 0 is the wall, from the trailing edge
// counter-clockwise.
struct AirfoilCloud {
  Index around = 0, rings = 0;
  std::vector<sim::Vec2> points;
  std::vector<double> distance;                      // to the wall
  std::vector<sim::NacaAirfoil::SurfacePoint> wall;  // ring 0
  std::vector<std::array<Index, 4>> quads;           // counter-clockwise

  Index at(Index ring, Index i) const { return ring * around + i % around; }
};

AirfoilCloud make_airfoil_cloud(const sim::NacaAirfoil& airfoil, Index around = 160, Index rings = 44);

}  // namespace fluidsplat::benchmarks
