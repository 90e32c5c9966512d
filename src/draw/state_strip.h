// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::draw {

// What may be the state of something: its name and colour (#rrggbb).
struct StripState {
  std::string name, color;
};

// One line of a strip: what it is of, and its state, as a number among the strip's, at every place along it.
struct StripLine {
  std::string label;
  std::vector<int> states;
};

struct StripOptions {
  std::string title, x_label;
  double first = 0, last = 0;  // along x
  int width = 960;
};

// Coloured lines below each other as inline SVG, with a legend of the states that occur; equal states in a row are one
// bar.
std::string state_strip(const std::vector<StripLine>& lines, const std::vector<StripState>& states,
                        const StripOptions& options);

}  // namespace fluidsplat::draw
