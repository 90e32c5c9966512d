// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reproduce/sheet.h"

namespace fluidsplat::reproduce {

// A table of texts, header first, as Markdown and HTML show it.
using Grid = std::vector<std::vector<std::string>>;

// The command that makes a sheet, without folders.
std::string command_of(const Sheet& sheet);
// What it ran on and how, a sentence each.
std::vector<std::string> describe_terms(const Sheet& sheet);
// Errors beside the paper's numbers, mean and deviation over seeds.  The least of a column is marked by `strong`.
Grid error_grid(const Sheet& sheet, const std::function<std::string(const std::string&)>& strong);
// One column's methods under every condition, and what they cost.
Grid column_grid(const Sheet& sheet, std::size_t column);
// Seed by seed; empty when there is one seed at most.  The paper's seeds stand below where it gives them.
Grid seed_grid(const Sheet& sheet);

std::string to_markdown(const Grid& grid);
// "0.0358 ± 0.0073"
std::string with_deviation(double mean, double deviation);

// A whole document of a table: its sheets under one heading each.
std::string markdown_document(const Table& table, const std::vector<Sheet>& sheets);
// A line for every number: terms, place in the table, seed, errors, cost, and the paper's number.
std::string csv_document(const std::vector<Sheet>& sheets);

}  // namespace fluidsplat::reproduce
