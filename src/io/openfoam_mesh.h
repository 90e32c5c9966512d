// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::io {

struct FoamPatch {
  std::string name, type;  // "cylinder", "wall"
  Index faces = -1, start = -1;
};

// The patches of constant/polyMesh/boundary.  An Error names the file when it is cut short.
std::vector<FoamPatch> read_foam_boundary(const std::filesystem::path& file);

// Holds the files of a mesh (constant/polyMesh; text or binary, packed or not) against each other: VTK's reader
// believes what they say of themselves, and allocates for cells that are not there.  Throws Error for what is cut
// short, and for numbers of points, faces and cells that do not exist.
void check_foam_mesh(const std::filesystem::path& folder, const std::vector<FoamPatch>& patches);

}  // namespace fluidsplat::io
