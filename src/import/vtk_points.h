// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "io/vtk.h"

namespace fluidsplat::importing {

// The axes along which a VTK mesh extends; VTK itself always has three.  Fewer than two are an Error.
std::vector<int> extended_axes(const io::VtkMesh& mesh, const std::string& file);

// The mesh's points, or the centres of its cells, along the given axes.  An image becomes a grid.
field::Mesh vtk_points(const io::VtkMesh& mesh, const std::vector<int>& axes, bool cells, const std::string& file);

}  // namespace fluidsplat::importing
