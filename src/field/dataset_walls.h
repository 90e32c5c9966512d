// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Separate walls (Mesh::wall) and the fields on them in a dataset's HDF5 file.
#pragma once

#include <string>

#include "base/index.h"
#include "field/case.h"
#include "io/hdf5.h"

namespace fluidsplat::field {

std::string wall_group(Index mesh);
std::string wall_fields_name(Index mesh);
// The wall of mesh number `mesh`, and room for fields on it; nothing when it has none.
void write_wall(io::Hdf5File& file, Index mesh, const Mesh& contents, Index channels);
// None when there is none.  `name` is what messages call the file.
std::shared_ptr<const Mesh> read_wall(const io::Hdf5File& file, Index mesh, const std::string& name);

void append_wall_fields(io::Hdf5File& file, Index mesh, const Case& c);
// Throws Error unless the file holds as many frames on the mesh's wall, if it has one, as on the mesh.
void check_wall_fields(const io::Hdf5File& file, Index mesh, Index frames, Index channels, const std::string& name);
// Into a case whose mesh is there already.
void read_wall_fields(const io::Hdf5File& file, Index mesh, Index frame, Index channels, Case& c);

}  // namespace fluidsplat::field
