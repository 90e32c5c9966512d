// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/config.h"
#include "base/error.h"
#include "io/csv.h"

namespace fluidsplat::field {
namespace {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> out;
  std::string name;
  for (char c : text + ";")
    if (c != ';' && c != ' ' && c != '|')
      name += c;
    else if (!name.empty())
      out.push_back(std::exchange(name, ""));
  return out;
}

class SensorTable {
 public:
  explicit SensorTable(const std::filesystem::path& file) : file_(file.string()), table_(io::read_text_csv(file)) {
    if (table_.rows.empty()) fail("{}: has no sensors, only a line of names", file_);
  }

  std::size_t size() const { return table_.rows.size(); }
  std::ptrdiff_t find(const std::string& name) const {
    const auto it = std::find(table_.header.begin(), table_.header.end(), name);
    return it == table_.header.end() ? -1 : it - table_.header.begin();
  }
  const std::string& text(std::size_t row, std::ptrdiff_t column) const { return table_.rows[row][column]; }
  double number(std::size_t row, const std::string& name) const {
    const auto column = find(name);
    if (column < 0) {
      const auto near = nearest_name(name, table_.header);
      fail("{}: has no column \"{}\"{}; its columns are: {}", file_, name,
           near.empty() ? "" : fmt::format(" (is \"{}\" meant?)", near), fmt::join(table_.header, ", "));
    }
    const auto& cell = text(row, column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
      fail("{}: sensor {}, column \"{}\": \"{}\" is not a number", file_, row + 1, name, cell);
    return value;
  }

 private:
  std::string file_;
  io::TextTable table_;
};

}  // namespace

std::vector<int> channel_indices(const std::vector<std::string>& names, const Schema& schema,
                                 const std::string& where) {
  std::vector<int> out;
  std::vector<std::string> known;
  for (const auto& c : schema.channels) known.push_back(c.name);
  for (const auto& name : names) {
    const auto it = std::find(known.begin(), known.end(), name);
    if (it == known.end())
      fail("{}: the data has no channel \"{}\"; its channels are: {}", where, name, fmt::join(known, ", "));
    out.push_back(int(it - known.begin()));
  }
  if (out.empty())
    for (std::size_t i = 0; i < known.size(); ++i) out.push_back(int(i));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

SensorLayout read_sensor_csv(const std::filesystem::path& file, const Schema& schema, const PointSource& mesh,
                             const std::vector<int>& otherwise) {
  const SensorTable table(file);
  SensorLayout layout;
  if (table.find("arclength") >= 0) {
    std::vector<double> fractions;
    for (std::size_t i = 0; i < table.size(); ++i) {
      fractions.push_back(table.number(i, "arclength"));
      if (fractions.back() < 0 || fractions.back() > 1)
        fail("{}: sensor {}: the arclength {} is not in 0 to 1 (fractions of the perimeter)", file.string(), i + 1,
             fractions.back());
    }
    layout = wall_layout(mesh.whole(), fractions, otherwise);
  } else {
    Matrix positions(std::ssize(table), schema.dim());
    for (std::size_t i = 0; i < table.size(); ++i)
      for (int a = 0; a < schema.dim(); ++a) positions(i, a) = float(table.number(i, schema.coordinates[a].name));
    layout = make_layout(std::move(positions), otherwise);
  }
  const auto name = table.find("name"), channels = table.find("channels");
  // Readings are told apart by the names, those that are given and those that the others get.
  const auto called = [&](std::size_t i) {
    return layout.names[i].empty() ? fmt::format("s{}", i + 1) : layout.names[i];
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (name >= 0) {
      layout.names.push_back(table.text(i, name));
      for (std::size_t k = 0; k < i; ++k)
        if (called(k) == called(i))
          fail("{}: sensors {} and {} are both called \"{}\"; give each its own name", file.string(), k + 1, i + 1,
               called(i));
    }
    if (channels < 0) continue;
    const auto seen = split_names(table.text(i, channels));
    if (!seen.empty())
      layout.channels[i] = channel_indices(seen, schema, fmt::format("{}: sensor {}", file.string(), i + 1));
  }
  return layout;
}

}  // namespace fluidsplat::field
