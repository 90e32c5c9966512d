// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "io/csv.h"

namespace fluidsplat::report {

// A result twice: numbers for a program, and a page with a figure for a person.
struct Exhibit {
  io::Table table;
  std::string html;
};

// A table without rows, and one row more of it.
io::Table empty_table(std::vector<std::string> header);
void add_row(io::Table& table, std::initializer_list<double> cells);

// Writes folder/name.csv and folder/name.html.
void write_exhibit(const Exhibit& exhibit, const std::filesystem::path& folder, const std::string& name);

}  // namespace fluidsplat::report
