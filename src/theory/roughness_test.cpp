// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/roughness.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(Roughness, OfAWaveIsItsWaveNumber) {
  const Grid grid({200, 64});
  Vector f(grid.size());
  const double k = 2 * std::numbers::pi / 40;
  for (Index i = 0; i < grid.size(); ++i) f[i] = std::sin(k * grid.coordinate(i, 0) + 0.3);
  EXPECT_NEAR(roughness(grid, f), k, 0.01 * k);
  EXPECT_NEAR(roughness(grid, 7 * f), roughness(grid, f), 1e-12);
}

TEST(Roughness, NeverLooksBehindTheMask) {
  // A ramp with a hole full of NaN: every difference that touches the hole must be one-sided.
  std::vector<char> valid(25, 1);
  valid[12] = valid[13] = 0;
  const Grid grid({5, 5}, valid);
  Vector f(25);
  for (Index i = 0; i < 25; ++i) f[i] = 1.0 + grid.coordinate(i, 1);
  f[12] = f[13] = std::nan("");
  double square = 0;
  for (Index i : grid.valid_pixels()) square += f[i] * f[i];
  // 23 valid pixels have slope 1, but for (2, 4): its only neighbour along the ramp is masked.
  EXPECT_NEAR(roughness(grid, f), std::sqrt(22 / square), 1e-12);
}

TEST(Roughness, OfNothingIsAnError) {
  EXPECT_THROW(roughness(Grid({4}), Vector::Zero(4)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
