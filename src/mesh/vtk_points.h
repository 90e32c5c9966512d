// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/case.h"
#include "io/vtk.h"

namespace fluidsplat::mesh {

// The axes along which a VTK mesh extends; VTK itself always has three.  Fewer than two are an Error.
std::vector<int> extended_axes(const io::VtkMesh& mesh, const std::string& file);

// An axis along which the mesh extends though it is not among `axes`, if there is one.
std::optional<int> axis_beside(const io::VtkMesh& mesh, const std::vector<int>& axes);

// Where a VTK mesh has its data.
enum class Site { points, cells };

// The mesh's points, or the centres of its cells, along the given axes.  An image becomes a grid.
field::Mesh points_of(const io::VtkMesh& mesh, const std::vector<int>& axes, Site site, const std::string& file);

}  // namespace fluidsplat::mesh
