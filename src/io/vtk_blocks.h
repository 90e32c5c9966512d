// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace fluidsplat::io {

// VTK divides by and loops over the block sizes that compressed XML files state, and allocates as many points or cells
// as a file claims to have, so that a damaged file can end or hang the program.  This refuses such files before VTK
// sees them.  It does not judge anything else in the file.
void check_vtk_blocks(const std::filesystem::path& path);

}  // namespace fluidsplat::io
