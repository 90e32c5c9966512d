// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "io/vtk.h"

namespace fluidsplat::io {

// One file of an image that is written in pieces.  Neighbours share the points between them.
struct PvtiPiece {
  std::array<std::int64_t, 3> first = {0, 0, 0}, dimensions = {1, 1, 1};  // in points of the whole
  std::string file;                                                       // relative to the .pvti
};

// The index of an image whose pieces are .vti files (VtkMesh::first), so that a whole larger than memory opens as one.
// `like` is any of the pieces, for the names and types of its point data, for origin and spacing.
void write_pvti(const std::filesystem::path& path, const std::array<std::int64_t, 3>& dimensions, const VtkMesh& like,
                const std::vector<PvtiPiece>& pieces);

}  // namespace fluidsplat::io
