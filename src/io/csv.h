// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fluidsplat::io {

// Columns of numbers under a line of names.  A cell that is empty, NA or nan is NaN: nothing was measured.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<double>> columns;
  std::string source;  // the file, for messages

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  // An Error names the file and the nearest column when there is none of this name.
  const std::vector<double>& column(std::string_view name) const;
};

// The same with cells as they are written.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// Separators are found out from the first line: comma, semicolon, tab, or else spaces.  Lines that start with '#' and
// empty lines are skipped; cells may be quoted.  Independent of the locale: a decimal point is a point.
Table read_csv(const std::filesystem::path& path);
Table parse_csv(std::string_view text, const std::string& source);
TextTable read_text_csv(const std::filesystem::path& path);

// The shortest digits that read back as the same numbers; NaN becomes an empty cell.
std::string to_csv(const Table& table);
void write_csv(const std::filesystem::path& path, const Table& table);

}  // namespace fluidsplat::io
