// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/exhibit.h"

#include "base/atomic_file.h"

namespace fluidsplat::report {

io::Table empty_table(std::vector<std::string> header) {
  io::Table table;
  table.columns.resize(header.size());
  table.header = std::move(header);
  return table;
}

void add_row(io::Table& table, std::initializer_list<double> cells) {
  auto column = table.columns.begin();
  for (double cell : cells) (column++)->push_back(cell);
}

void write_exhibit(const Exhibit& exhibit, const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::create_directories(folder);
  io::write_csv(folder / (name + ".csv"), exhibit.table);
  write_file(folder / (name + ".html"), exhibit.html);
}

}  // namespace fluidsplat::report
