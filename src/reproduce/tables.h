// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "reproduce/paper_numbers.h"

namespace fluidsplat::reproduce {

// What is trained: a method with one arrangement of sensors and cases.  Tables that show the same thing share its runs.
// Methods: "paper" (the paper's form), "recipe" (ours), "network" (ours without the prior, where it has one), the kinds
// of the other networks, the names of the classical ones (plan.h); "paper.k64" is a variant of "paper".
struct Subject {
  std::string benchmark, layout, method;
  auto operator<=>(const Subject&) const = default;
};

// A place of a table: what it shows, and what the paper has there.
struct Cell {
  Subject subject;
  Index sensors = 0;  // another number than in training; 0: the same
  std::optional<PaperNumber> paper = {};
};

struct Row {
  std::string label;  // for people
  std::vector<Cell> cells;
};

// A table of the paper: rows of methods or variants, columns of layouts or settings.
struct Table {
  std::string name, benchmark, title, of_paper, corner;
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// cylinder, airfrans, ldc3d, car, ablation, k-sweep, sensor-count.  (cost.h has the one that is no table of errors.)
const std::vector<Table>& error_tables();
// All names, in order.
std::vector<std::string> table_names();

}  // namespace fluidsplat::reproduce
