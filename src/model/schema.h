// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/index.h"

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

// The channels that hold the velocity along each axis: (u, v[, w]) or names that end in x, y[, z] after a common stem
// such as U, u_ or velocity_.  Empty when there are none.
std::vector<Index> find_velocity(const Schema& schema);

}  // namespace fluidsplat::model
