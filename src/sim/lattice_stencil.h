// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/lbm.h"

namespace fluidsplat::sim {

// How a field at the cell centres (FlowFields) is interpolated at a place between them: cubic where all sixteen cells
// are fluid, linear next to a body.
struct LatticeStencil {
  long first = 0;  // its lowest cell
  int size = 0;    // 4 or 2; 0: the value is 0
  std::array<float, 4> along_x = {}, along_y = {};

  double apply(const std::vector<float>& field, int nx) const;
};

// Nothing when the place is too near to the lattice's edge.
std::optional<LatticeStencil> stencil_at(const Lbm& lbm, Vec2 place);

}  // namespace fluidsplat::sim
