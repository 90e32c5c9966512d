// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/index.h"

namespace fluidsplat::mesh {

// Along which axes points in space extend.  Programs that know three dimensions only write 2-D data as a plane, or as
// one layer of cells between two planes of points; both are flat.
struct Flatness {
  std::vector<int> axes;
  // Of one layer of cells: the points of one plane, and those opposite, in the same order.  Empty: all points lie in
  // one plane, or the data are 3-D.
  std::vector<Index> rows, twins;

  // The axis that is left out, when one is.
  std::optional<int> across() const;
};

// `positions` are [3 i + axis]; points that are NaN (padding) are overlooked.
Flatness flatness_of(const std::vector<double>& positions);
// The same when points of two planes are not asked for: they are 3-D.
std::vector<int> extended_axes(const std::vector<double>& positions);

}  // namespace fluidsplat::mesh
