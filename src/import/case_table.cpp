// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/case_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.h"
#include "io/csv.h"

namespace fluidsplat::importing {
namespace {

// The rows of the CSV in the order of the cases.
class CaseCsv {
 public:
  CaseCsv(const std::string& file, const CaseReader& reader) : file_(file), table_(io::read_text_csv(file)) {
    const std::size_t cases = reader.size();
    if (table_.rows.size() != cases)
      fail("{}: has {} rows for {} cases; one row per case is needed", file, table_.rows.size(), cases);
    const auto key = find("case");
    std::map<std::string, std::size_t> row_of;
    if (key >= 0)
      for (std::size_t r = 0; r < cases; ++r) row_of[table_.rows[r][key]] = r;
    for (std::size_t i = 0; i < cases; ++i) {
      const auto name = reader.name(i);
      if (key >= 0 && !row_of.contains(name)) fail("{}: no row has \"{}\" in its column \"case\"", file, name);
      order_.push_back(key >= 0 ? row_of.at(name) : i);
    }
  }

  std::ptrdiff_t find(const std::string& name) const {
    const auto it = std::find(table_.header.begin(), table_.header.end(), name);
    return it == table_.header.end() ? -1 : it - table_.header.begin();
  }

  std::vector<std::string> descriptor_names() const {
    std::vector<std::string> out;
    for (const auto& name : table_.header)
      if (name != "case" && name != "time") out.push_back(name);
    return out;
  }

  std::vector<double> column(const std::string& name) const {
    const auto at = find(name);
    if (at < 0) fail("{}: has no column \"{}\"; its columns are: {}", file_, name, fmt::join(table_.header, ", "));
    std::vector<double> out;
    for (auto r : order_) {
      const auto& cell = table_.rows[r][at];
      double value = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        fail("{}: row {}, column \"{}\": \"{}\" is not a number", file_, r + 1, name, cell);
      out.push_back(value);
    }
    return out;
  }

 private:
  std::string file_;
  io::TextTable table_;
  std::vector<std::size_t> order_;
};

}  // namespace

CaseTable make_case_table(const Recipe& recipe, CaseReader& reader) {
  CaseTable out;
  const auto cases = reader.size();
  for (Index i = 0; i < cases; ++i) {
    const double told = reader.time(i);
    out.times.push_back(std::isnan(told) ? recipe.time_start + double(i) * recipe.time_step : told);
  }
  auto names = recipe.descriptors;
  if (recipe.cases.empty()) {
    if (!names.empty()) out.values = reader.descriptors(names);
  } else {
    const CaseCsv csv(recipe.cases, reader);
    if (names.empty()) names = csv.descriptor_names();
    out.values.resize(cases, std::ssize(names));
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto values = csv.column(names[k]);
      for (Index i = 0; i < cases; ++i) out.values(i, k) = float(values[i]);
    }
    if (csv.find("time") >= 0) out.times = csv.column("time");
  }
  if (out.values.size() == 0) out.values.resize(cases, 0);
  out.descriptors = make_columns(names, recipe.descriptor_units, "descriptors");
  for (Index i = 0; i < cases; ++i) {
    if (!std::isfinite(out.times[i])) fail("import: the time of case {} is not finite", i);
    for (Index k = 0; k < out.values.cols(); ++k)
      if (!std::isfinite(out.values(i, k))) fail("import: the descriptor \"{}\" of case {} is not finite", names[k], i);
  }
  return out;
}

}  // namespace fluidsplat::importing
