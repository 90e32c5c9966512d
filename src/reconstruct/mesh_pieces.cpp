// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/mesh_pieces.h"

#include "base/error.h"
#include "io/pvtu.h"

namespace fluidsplat::reconstruct {

MeshPieces::MeshPieces(const std::filesystem::path& pvtu, field::Schema schema) : schema_(std::move(schema)) {
  for (const auto& file : io::read_pvtu(pvtu)) {
    files_.push_back(pvtu.parent_path() / file);
    // Known before the first is reconstructed: a series of hours must not end with a file that is not there.
    if (!std::filesystem::exists(files_.back()))
      fail("{}: its piece {} is not there", pvtu.string(), files_.back().string());
    if (files_.back().extension() != ".vtu")
      fail("{}: its piece {} is not a .vtu file", pvtu.string(), files_.back().string());
  }
}

Target MeshPieces::target(Index piece) const {
  return target_from_vtk(files_[piece], schema_);
}

}  // namespace fluidsplat::reconstruct
