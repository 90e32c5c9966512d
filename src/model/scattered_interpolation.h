// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/index.h"
#include "model/matrix.h"

namespace fluidsplat::model {

// Interpolation between scattered points by moving least squares: exact at the points, exact for fields that are linear
// in space, continuous.  The result is a weighted sum of the values at some neighbours, so one search serves all fields
// on the same points.  Constant; any number of threads may ask.
class ScatteredInterpolation {
 public:
  // points [n, d], d being 2 or 3, which must outlive this.
  explicit ScatteredInterpolation(const Matrix& points);
  ~ScatteredInterpolation();

  // The field at a position is the sum of value[i] * (its value at point[i]), its derivative the sum of slope[i] * ...
  struct Weights {
    static constexpr Index kMost = 19;
    Index count = 0;
    std::array<std::uint32_t, kMost> point;  // nearest first
    std::array<double, kMost> value;
    std::array<std::array<double, 3>, kMost> slope;
  };
  // Allocates nothing.
  Weights at(const float* position) const;

 private:
  class Search;
  template <int D>
  class SearchIn;
  std::unique_ptr<const Search> search_;
};

}  // namespace fluidsplat::model
