// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

LbmSettings size(int nx, int ny) {
  LbmSettings s;
  s.nx = nx;
  s.ny = ny;
  return s;
}

TEST(WindowSampler, ReproducesCubicsAwayFromTheBodyAndPlanesBesideIt) {
  const double diameter = 10;
  const Vec2 centre{25.3, 49.5};
  const Lbm lbm(size(180, 100), circle(centre, diameter / 2));
  const PixelWindow window;
  const WindowSampler sampler(lbm, window, centre, diameter);
  std::vector<float> plane, cubic, pixels;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 180; ++x) {
      plane.push_back(float(1 + 0.01 * x - 0.02 * y));
      cubic.push_back(float(std::pow(0.01 * x, 3) - std::pow(0.01 * y, 3) + 1e-4 * x * y));
    }
  }
  for (const bool is_plane : {true, false}) {
    sampler.sample(is_plane ? plane : cubic, 2, pixels);
    ASSERT_EQ(pixels.size(), window.size());
    for (int row = 0; row < window.rows; ++row) {
      for (int column = 0; column < window.columns; ++column) {
        const double x = centre.x + diameter / 12 * (column - 13.5), y = centre.y + diameter / 12 * (row - 55.5);
        const double r = std::hypot(column - 13.5, row - 55.5);
        const float pixel = pixels[row * window.columns + column];
        if (r <= 6) {
          EXPECT_EQ(pixel, 0);
        } else if (is_plane) {
          EXPECT_NEAR(pixel, 2 * (1 + 0.01 * x - 0.02 * y), 1e-5);
        } else if (r > 10) {
          EXPECT_NEAR(pixel, 2 * (std::pow(0.01 * x, 3) - std::pow(0.01 * y, 3) + 1e-4 * x * y), 1e-5);
        }
      }
    }
  }
}

TEST(WindowSampler, MaskIsTheOutsideOfTheCircle) {
  const Vec2 centre{25.3, 49.5};
  const Lbm lbm(size(180, 100), circle(centre, 5));
  const WindowSampler sampler(lbm, {}, centre, 10);
  const auto inside = std::count(sampler.mask().begin(), sampler.mask().end(), 0);
  EXPECT_NEAR(double(inside), std::numbers::pi * 36, 6);
  EXPECT_EQ(sampler.mask()[56 * 192 + 14], 0);
  EXPECT_EQ(sampler.mask()[0], 1);
}

TEST(WindowSampler, RefusesAWindowThatLeavesTheLattice) {
  const Lbm lbm(size(60, 100), circle({25.3, 49.5}, 5));
  EXPECT_THROW(WindowSampler(lbm, {}, {25.3, 49.5}, 10), Error);
}

}  // namespace
}  // namespace fluidsplat::sim
