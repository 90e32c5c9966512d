// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "io/pvd.h"

namespace fluidsplat::io {

// ParaView's list of the files of a series (run.vtu.series): JSON with "files", each with "name" and "time".
std::vector<PvdEntry> read_series(const std::filesystem::path& path);

}  // namespace fluidsplat::io
