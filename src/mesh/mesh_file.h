// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "mesh/grid.h"

namespace fluidsplat::mesh {

// The points of a .vtu, .vtp, .vti or .vtk file as a mesh for data of this schema: features are its point arrays of the
// same names, the wall is what `wall`, `wall_normals` and `wall_areas` tell when they are there.  Features of a
// surface's shape (field/surface_features.h) are found where the file does not have them.  Throws Error for other
// features that are missing, and for points in space where the schema has two coordinates.
ShelledMesh read_mesh_file(const std::filesystem::path& path, const field::Schema& schema);

}  // namespace fluidsplat::mesh
