// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fluidsplat::model {

// A named quantity.
struct Column {
  std::string name, unit;
  bool operator==(const Column&) const = default;
};

// What all cases of a dataset share, and a model keeps of the data it was trained on.
struct Schema {
  std::vector<Column> coordinates, channels, features, descriptors;
  int dim() const { return int(coordinates.size()); }
  bool operator==(const Schema&) const = default;
};

}  // namespace fluidsplat::model
