// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>

#include "io/csv.h"

namespace fluidsplat::importing {

// A table whose columns have names: the file's, or those given when it has none.  Throws Error when nobody names them.
io::Table read_table(const std::filesystem::path& path, const std::vector<std::string>& names);

// The columns with the positions, two or three: as the user names them (empty: not named), or x, y, z in the spellings
// that programs use (X, x [m], Points:0, Points_0, coordsX, "X Coordinate").
std::vector<std::string> coordinate_columns(const io::Table& table, const std::array<std::string, 3>& named);
// A column called time or t, or nothing.
std::string time_column(const io::Table& table);
// Numbers of rows and the like, which programs add.
bool is_row_number(const std::string& name);

}  // namespace fluidsplat::importing
