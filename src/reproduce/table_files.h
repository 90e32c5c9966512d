// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reproduce/sheet.h"

namespace fluidsplat::reproduce {

// Writes NAME.md, NAME.csv and NAME.html of a table to the folder, of all runs that there are.
// Returns false, and writes nothing, when there is no run of it.
bool write_table(const Table& table, const std::vector<Finished>& runs, const std::filesystem::path& folder);

}  // namespace fluidsplat::reproduce
