// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/roughness.h"

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

double difference(const Grid& grid, const Eigen::Ref<const Vector>& field, Index pixel, int axis) {
  const Index stride = grid.stride(axis);
  const int at = grid.coordinate(pixel, axis), last = grid.shape()[axis] - 1;
  const bool before = at > 0 && grid.valid(pixel - stride), after = at < last && grid.valid(pixel + stride);
  if (!before && !after) return 0;
  const double low = field[before ? pixel - stride : pixel], high = field[after ? pixel + stride : pixel];
  return (high - low) / (before && after ? 2 : 1);
}

}  // namespace

double roughness(const Grid& grid, const Eigen::Ref<const Vector>& field) {
  double gradient = 0, square = 0;
  for (Index pixel : grid.valid_pixels()) {
    for (int axis = 0; axis < grid.dimension(); ++axis) {
      const double slope = difference(grid, field, pixel, axis);
      gradient += slope * slope;
    }
    square += field[pixel] * field[pixel];
  }
  if (!(square > 0)) fail("the field is zero everywhere: its roughness is not defined");
  return std::sqrt(gradient / square);
}

}  // namespace fluidsplat::theory
