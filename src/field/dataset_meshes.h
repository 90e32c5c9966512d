// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"
#include "io/hdf5.h"

namespace fluidsplat::field {

// One mesh in a dataset file, under /meshes/<number>: see DatasetWriter for what is where.
std::string mesh_group(Index number);
// What holds the fields of its cases.
std::string fields_name(Index number);
void write_mesh(io::Hdf5File& file, Index number, const Mesh& mesh);
// Bit for bit what was written.  Throws Error for a damaged one, `name` being what messages call the file; whether its
// parts fit each other is for check_mesh to say.
Mesh read_mesh(const io::Hdf5File& file, Index number, const std::string& name);
// Empty when the mesh is no grid.
std::vector<Index> read_grid_shape(const io::Hdf5File& file, Index number, const std::string& name);

}  // namespace fluidsplat::field
