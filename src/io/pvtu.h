// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "io/vtk.h"

namespace fluidsplat::io {

// The index of a mesh whose pieces are .vtu files, so that a whole larger than memory opens as one.  `like` is any of
// the pieces, for the names and types of its point data; `files` are relative to the .pvtu.
void write_pvtu(const std::filesystem::path& path, const VtkMesh& like, const std::vector<std::string>& files);

// The pieces of a .pvtu, relative to it as they are written there.  Whether they exist is not looked at.
std::vector<std::string> read_pvtu(const std::filesystem::path& path);

}  // namespace fluidsplat::io
