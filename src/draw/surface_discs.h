// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "field/case.h"

namespace fluidsplat::draw {

// Scattered points of a surface as overlapping discs that hide what is behind them.
struct Discs {
  field::Matrix normals;      // [n, 3], unit, of either sign
  std::vector<float> radius;  // far enough to meet the neighbours' discs
};

// From each point's neighbours alone: neither faces nor normals are needed.
Discs surface_discs(const field::Matrix& points);

// The mesh is a surface in space: all of it is wall, or it does not say and lies flat around every point.
bool is_surface(const field::Mesh& mesh);

}  // namespace fluidsplat::draw
