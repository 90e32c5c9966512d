// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reproduce/sheet.h"

namespace fluidsplat::reproduce {

// Which of the paper's claims about a table hold on what was run, and which do not, a sentence each, with the numbers.
// Made of the sheet alone; what was not run is not spoken of.
std::vector<std::string> claims_of(const Sheet& sheet);

// The row with the least error of a column among those that `counts` (given a method's name) lets count; none: -1.
Index best_row(const Sheet& sheet, std::size_t column, bool (*counts)(const std::string& method));
bool is_classical_method(const std::string& method);
// Those of other authors.
bool is_other_network(const std::string& method);
bool is_paper_form(const std::string& method);
bool is_our_recipe(const std::string& method);

}  // namespace fluidsplat::reproduce
