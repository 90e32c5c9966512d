// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::draw {

// One row of dots on a common axis: a value for each of the plot's series.
struct DotRow {
  std::string label;
  std::vector<double> values;
  bool strong = false;  // its label stands out
};

struct DotPlotOptions {
  std::string title, x_label;
  std::vector<std::string> series;
  int width = 760;
};

// Rows of dots over a logarithmic axis as inline SVG: differences of some per cent and of some powers of ten are both
// seen.  Values that are not positive and finite are left out.
std::string dot_plot(const std::vector<DotRow>& rows, const DotPlotOptions& options);

}  // namespace fluidsplat::draw
