// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "io/vtk.h"

namespace fluidsplat::io {

struct VtkBlock {
  std::string name;
  VtkMesh mesh;
};
using VtkBlocks = std::vector<VtkBlock>;

// The meshes that a multi-block file (.vtm) names, groups within groups one after the other.
VtkBlocks read_vtm(const std::filesystem::path& path);

// Puts the points and cells of one mesh behind those of another.  Arrays stay that both have, with as many components.
void append(VtkMesh& mesh, const VtkMesh& more);

}  // namespace fluidsplat::io
