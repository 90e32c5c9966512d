// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/case.h"
#include "io/vtk.h"
#include "mesh/flatness.h"

namespace fluidsplat::mesh {

// Where a VTK mesh has its data.
enum class Site { points, cells };

// Where the data are, in space: [3 i + axis].
std::vector<double> positions_of(const io::VtkMesh& mesh, Site site, const std::string& file);

// Fewer than two axes are an Error; `file` is what it calls the mesh.
void check_extends(const Flatness& flatness, Index points, const std::string& file);

// An axis along which the mesh extends though it is not among `axes`, if there is one.  One layer of cells does not
// extend across itself.
std::optional<int> axis_beside(const Flatness& flatness, const std::vector<int>& axes);

// The mesh's points, or the centres of its cells, along the given axes.  Images and other structured meshes become
// grids.
field::Mesh points_of(const io::VtkMesh& mesh, const std::vector<int>& axes, Site site, const std::string& file);

}  // namespace fluidsplat::mesh
