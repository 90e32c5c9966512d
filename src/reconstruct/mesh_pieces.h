// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/pieces.h"

namespace fluidsplat::reconstruct {

// The .vtu files of a .pvtu, one in memory at a time.
class MeshPieces : public Pieces {
 public:
  MeshPieces(const std::filesystem::path& pvtu, field::Schema schema);
  Index size() const override { return std::ssize(files_); }
  // Throws Error that names the piece when it is not a mesh for data of the schema.
  Target target(Index piece) const override;

 private:
  std::vector<std::filesystem::path> files_;
  field::Schema schema_;
};

}  // namespace fluidsplat::reconstruct
