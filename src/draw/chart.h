// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::draw {

struct Series {
  std::string name;
  std::vector<double> x, y;
  bool line = true;     // false: dots
  bool dashed = false;  // for references
  // From low to high, one of each per x: around a line a shaded area, at dots a bar each.  Empty: none.
  std::vector<double> low = {}, high = {};
};

struct ChartOptions {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  int width = 640, height = 360;
};

// A line chart as inline SVG with axes, ticks, a legend and nothing that needs a script.  Points that are not finite,
// or not positive on a logarithmic axis, are left out; an x that is NaN ends a line, and the next point begins another.
std::string line_chart(const std::vector<Series>& series, const ChartOptions& options);

// How the values are distributed.
std::string histogram(const std::vector<double>& values, int bins, const ChartOptions& options);

}  // namespace fluidsplat::draw
