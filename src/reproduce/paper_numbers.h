// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace fluidsplat::reproduce {

// A number as the paper prints it, on the paper's own data.
struct PaperNumber {
  double value = 0;
  double deviation = 0;  // over seeds; 0: none is given
};

// By the name that a table has here and the row and column that it has in the paper, in paper_numbers.cpp.
std::optional<PaperNumber> paper_number(const std::string& table, const std::string& row, const std::string& column);

}  // namespace fluidsplat::reproduce
