// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/vtk.h"

namespace fluidsplat::io {

// Reads a legacy .vtk file, ASCII or binary, of any of its kinds of mesh, versions 1 to 5.1.  Damaged files are Errors.
VtkMesh read_legacy_vtk(const std::filesystem::path& path);
VtkMesh parse_legacy_vtk(std::string_view text, const std::string& name);

}  // namespace fluidsplat::io
