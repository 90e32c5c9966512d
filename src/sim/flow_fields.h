// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "sim/lbm.h"

namespace fluidsplat::sim {

// The flow at the cell centres, row by row (cell (x, y) is y * nx + x), in lattice units.
struct FlowFields {
  int nx = 0, ny = 0;
  std::vector<float> pressure, u, v, vorticity;
};

// Reads fields from a lattice.  Vorticity is by central differences, of fourth order away from walls; next to a wall
// the difference uses the point where the link meets the wall, with the wall's velocity.  Solid cells that touch the
// fluid hold linear extrapolations, for interpolation across the wall; the others hold 0.
class FieldReader {
 public:
  explicit FieldReader(const Lbm& lbm);
  void read(const Lbm& lbm, FlowFields& fields) const;

 private:
  struct Wall {
    double distance = 0;  // 0: no wall on this side
    Vec2 velocity;
  };
  using Sides = std::array<Wall, 5>;  // by axis direction 1..4
  struct Rim {
    int x, y;
  };
  double vorticity_near_wall(const Lbm& lbm, const FlowFields& f, int x, int y) const;

  std::unordered_map<long, Sides> near_wall_;  // fluid cells that have a solid cell within two cells on an axis
  std::vector<Rim> rim_;                       // solid cells that touch the fluid
};

}  // namespace fluidsplat::sim
