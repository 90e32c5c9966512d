// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mesh/shell.h"

namespace fluidsplat::mesh {

// Point arrays of VTK files that tell the wall: add_mesh_data writes them, read_mesh_file reads them.
constexpr const char *kWallArray = "wall", *kWallNormalsArray = "wall_normals", *kWallAreasArray = "wall_areas";

// Values at a mesh's points, one row each, as an array over its shell; NaN where the mesh has no point.  A vector has
// `components` = 3 whatever its columns: VTK's vectors always have.
io::VtkArray point_array(const Shell& shell, const std::string& name, const field::Matrix& values, int components);

// Adds every channel by its name.
void add_channels(io::VtkMesh& vtk, const Shell& shell, const field::Schema& schema, const field::Matrix& fields);

// Adds what the mesh itself knows: its features by their names, and its wall as `wall` (1 on it, 0 elsewhere),
// `wall_normals` and `wall_areas`, as far as there are any and no array has the name already.
void add_mesh_data(io::VtkMesh& vtk, const Shell& shell, const field::Schema& schema, const field::Mesh& mesh);

}  // namespace fluidsplat::mesh
