// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "io/csv.h"

namespace fluidsplat::io {

// Columns of numbers as programs and people write them: separated by commas, semicolons (then with decimal points or
// commas) or blanks; with a line of names or without one; with comments (#, %, //, !) and other lines before the first
// row.  The names are those of the last line before the first row that has as many words as the rows have numbers, be
// it a comment or not.  Without such a line the header is empty.  Errors name the file and the line.
Table read_text_numbers(const std::filesystem::path& path);
Table parse_text_numbers(std::string_view text, const std::string& source);

}  // namespace fluidsplat::io
