// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/case_reader.h"

namespace fluidsplat::importing {

// What is known of every case beside its fields.
struct CaseTable {
  std::vector<double> times;
  std::vector<field::Column> descriptors;
  field::Matrix values;  // [cases, descriptors.size()]
};

// From the recipe's CSV, from arrays of the files, and from what the files say of times.
CaseTable make_case_table(const Recipe& recipe, CaseReader& reader);

}  // namespace fluidsplat::importing
