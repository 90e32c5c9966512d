// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fluidsplat::io {

// One time of a series that ParaView plays.  `file` is relative to the folder of the .pvd file.
struct PvdEntry {
  double time = 0;
  std::string file;
};

void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries);
std::vector<PvdEntry> read_pvd(const std::filesystem::path& path);

}  // namespace fluidsplat::io
