// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/table_columns.h"

#include <algorithm>

#include "base/error.h"
#include "io/text_numbers.h"

namespace fluidsplat::importing {
namespace {

// In small letters, without a unit behind it.
std::string plain(const std::string& name) {
  std::string out = name.substr(0, name.find_first_of("[("));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool names_axis(const std::string& name, std::size_t axis) {
  const std::string letter(1, "xyz"[axis]), number(1, "012"[axis]), text = plain(name);
  for (const auto& spelling :
       {letter, "points:" + number, "points_" + number, "coords" + letter, "coord" + letter, letter + " coordinate",
        letter + "-coordinate", letter + "_coordinate", "pos_" + letter, "position_" + letter, letter + "coord"})
    if (text == spelling) return true;
  return false;
}

}  // namespace

io::Table read_table(const std::filesystem::path& path, const std::vector<std::string>& names) {
  auto out = io::read_text_numbers(path);
  if (!names.empty()) {
    if (names.size() != out.columns.size())
      fail("{}: {} columns are named, its rows have {} numbers", out.source, names.size(), out.columns.size());
    out.header = names;
  }
  if (out.header.empty()) {
    std::vector<double> first;
    for (const auto& column : out.columns) first.push_back(column.front());
    fail(
        "{}: no line names its {} columns (the first row is {}); name them with columns = NAMES, for example columns = x,y,u,v,p",
        out.source, out.columns.size(), fmt::join(first, " "));
  }
  return out;
}

std::vector<std::string> coordinate_columns(const io::Table& table, const std::array<std::string, 3>& named) {
  std::vector<std::string> out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!named[axis].empty()) {
      table.column(named[axis]);
      out.push_back(named[axis]);
      continue;
    }
    const auto it = std::find_if(table.header.begin(), table.header.end(),
                                 [&](const std::string& name) { return names_axis(name, axis); });
    if (it != table.header.end())
      out.push_back(*it);
    else if (axis < 2)
      fail("{}: no column is called {}; its columns are: {}; say which it is with {} = NAME", table.source, "xyz"[axis],
           fmt::join(table.header, ", "), "xyz"[axis]);
  }
  return out;
}

std::string time_column(const io::Table& table) {
  for (const auto& name : table.header)
    if (plain(name) == "time" || plain(name) == "t") return name;
  return {};
}

bool is_row_number(const std::string& name) {
  const auto text = plain(name);
  return text == "nodenumber" || text == "node number" || text == "cellnumber" || text == "point id" ||
         text == "cell id" || text == "vtkoriginalindices" || text == "index" || text.empty();
}

}  // namespace fluidsplat::importing
