// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "mesh/shell.h"

namespace fluidsplat::mesh {

// A mesh together with its shell.
struct ShelledMesh {
  field::Mesh mesh;
  Shell shell;
};

// A regular grid over a box, `points` along each axis (x, y[, z]).
ShelledMesh make_grid(const std::vector<Index>& points, const field::Box& box);

// Points along each axis of a grid over the box with `longest` points along its longest side.
std::vector<Index> grid_for(const field::Box& box, Index longest);

}  // namespace fluidsplat::mesh
