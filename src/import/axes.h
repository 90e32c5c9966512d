// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::importing {

// What each axis of an array means, one letter per axis in the array's order: t case or time, z y x grid, n points, c
// channel.
struct Axes {
  std::string letters;
  std::vector<Index> shape;

  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
  // 1 for an axis that is not there.
  Index extent(char letter) const;
  // Elements from one index to the next along an axis; 0 for an axis that is not there.
  Index stride(char letter) const;
  // The letters of the place, slowest first: "zyx", "yx" or "n" (in this order whatever the array's).
  std::string place() const;
  // The letters without t and c, as the array orders them.
  std::string place_as_stored() const;
  Index points() const;
};

// What is known when a user does not name the layout.
struct AxesHints {
  Index channels = 0;      // how many channels this array holds, 0: not said
  Index points = 0;        // how many scattered points there are, 0: a grid
  bool any_order = false;  // time may come last and x before y: nothing follows from an axis's place
};

// The axes of an array.  `layout` may be empty: then the shape must leave one reading, or the Error says what to write.
Axes read_axes(const std::string& layout, const std::vector<Index>& shape, const AxesHints& hints,
               const std::string& label);

}  // namespace fluidsplat::importing
