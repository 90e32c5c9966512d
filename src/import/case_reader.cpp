// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/case_reader.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace fluidsplat::importing {

std::vector<field::Column> make_columns(const std::vector<std::string>& names, const std::vector<std::string>& units,
                                        const char* what) {
  if (!units.empty() && units.size() != names.size())
    fail("import: {} units for {} {} ({}); give one each, in the same order", units.size(), names.size(), what,
         fmt::join(names, ", "));
  std::vector<field::Column> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) fail("import: number {} of the {} has no name", i, what);
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      fail("import: two of the {} are called \"{}\"; give different names", what, names[i]);
    out.push_back({names[i], units.empty() ? "" : units[i]});
  }
  return out;
}

std::string open_surface_note(const std::string& name) {
  return fmt::format(
      "{}: its surface is open, so nothing tells inside from outside: the normals look where its faces do (normals = "
      "NAME gives others)",
      name);
}

void blank_no_data(field::Matrix& fields, const std::vector<double>& no_data) {
  for (double value : no_data) {
    const auto marker = float(value);
    for (Index i = 0; i < fields.size(); ++i)
      if (fields.data()[i] == marker) fields.data()[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace fluidsplat::importing
