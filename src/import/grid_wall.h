// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::importing {

// Fills surface and normals of a grid mesh: the points with a cell without data beside them (above, below, left, right;
// not diagonally), and the directions away from the cells without data around them.  The grid's own edge is no wall.
void derive_grid_wall(field::Mesh& mesh);

}  // namespace fluidsplat::importing
