// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/grid.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <numbers>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

// The definition, one pixel at a time, in 1-D: reflected data, normalised kernel cut at 4 sigma.
Vector by_definition(const Vector& f, double sigma) {
  const int n = int(f.size()), radius = int(4 * sigma + 0.5);
  Vector result = Vector::Zero(n);
  for (int i = 0; i < n; ++i) {
    double norm = 0;
    for (int j = -radius; j <= radius; ++j) {
      int at = i + j;
      while (at < 0 || at >= n) at = at < 0 ? -1 - at : 2 * n - 1 - at;
      const double weight = std::exp(-0.5 * j * j / (sigma * sigma));
      result[i] += weight * f[at];
      norm += weight;
    }
    result[i] /= norm;
  }
  return result;
}

TEST(GaussianFilter, FollowsTheDefinitionAtEveryWidth) {
  Random random(4);
  for (int n : {1, 2, 7, 40})
    for (double sigma : {0.3, 1.0, 4.0, 8.0}) {
      Vector f(n);
      for (double& v : f) v = random.normal();
      EXPECT_LT((gaussian_filter(Grid({n}), f, sigma) - by_definition(f, sigma)).cwiseAbs().maxCoeff(), 1e-13);
    }
}

TEST(GaussianFilter, GivesScipysNumbers) {
  // scipy.ndimage.gaussian_filter of a unit impulse with sigma = 1.
  Vector impulse = Vector::Zero(9);
  impulse[4] = 1;
  const Vector smooth = gaussian_filter(Grid({9}), impulse, 1);
  EXPECT_NEAR(smooth[4], 0.39894346, 1e-7);
  EXPECT_NEAR(smooth[5], 0.24197144, 1e-7);
  EXPECT_NEAR(smooth[6], 0.05399112, 1e-7);
  EXPECT_NEAR(smooth[7], 0.00443186, 1e-7);
}

TEST(GaussianFilter, IsSeparableAndKeepsTheMean) {
  Random random(5);
  const Grid grid({12, 9, 5});
  Vector f(grid.size());
  for (double& v : f) v = random.normal();
  const Vector smooth = gaussian_filter(grid, f, 1.5);
  EXPECT_NEAR(smooth.mean(), f.mean(), 1e-12);
  EXPECT_LT(smooth.squaredNorm(), f.squaredNorm());
  // A product of 1-D functions is filtered factor by factor.
  const Vector a = Vector::Random(6), b = Vector::Random(8);
  const Vector fa = gaussian_filter(Grid({6}), a, 2), fb = gaussian_filter(Grid({8}), b, 2);
  Vector product(48), expected(48);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) {
      product[i * 8 + j] = a[i] * b[j];
      expected[i * 8 + j] = fa[i] * fb[j];
    }
  EXPECT_LT((gaussian_filter(Grid({6, 8}), product, 2) - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(GaussianFilter, MaskedPixelsAreZeroOrLeftOut) {
  std::vector<char> valid(30, 1);
  for (int i = 10; i < 15; ++i) valid[i] = 0;
  const Grid grid({30}, valid);
  Vector f = Vector::Constant(30, 2.0);
  f.segment(10, 5).setConstant(std::nan(""));
  const Vector left_out = gaussian_filter(grid, f, 3, MaskedPixels::kLeaveOut), zero = gaussian_filter(grid, f, 3);
  for (Index i = 0; i < 30; ++i) {
    EXPECT_NEAR(left_out[i], grid.valid(i) ? 2.0 : 0.0, 1e-13);
    if (grid.valid(i)) {
      EXPECT_GT(zero[i], 0);
      EXPECT_LE(zero[i], 2 + 1e-13);
    }
  }
  EXPECT_LT(zero[9], 1.6);
  EXPECT_EQ(gaussian_filter(grid, f, 0)[12], 0);
}

TEST(GaussianFilter, RefusesWrongSizesAndWidths) {
  EXPECT_THROW(gaussian_filter(Grid({3}), Vector::Zero(4), 1), std::logic_error);
  EXPECT_THROW(gaussian_filter(Grid({3}), Vector::Zero(3), -1), std::logic_error);
  EXPECT_THROW(Grid({2, 2}, {1, 1, 1}), std::logic_error);
  EXPECT_THROW(Grid({2}, {0, 0}), Error);
}

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
