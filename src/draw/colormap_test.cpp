// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/colormap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::draw {
namespace {

double luminance(const Rgb& c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c[0] / 255.0) + 0.7152 * linear(c[1] / 255.0) + 0.0722 * linear(c[2] / 255.0);
}

// What makes a map perceptual: lightness never turns back along a branch.
TEST(ColorMap, LightnessIsMonotoneAlongEachBranch) {
  for (int i = 0; i < 100; ++i) {
    const double t = i / 100.0, u = (i + 1) / 100.0;
    EXPECT_LE(luminance(color_at(ColorMap::sequential, t)), luminance(color_at(ColorMap::sequential, u)) + 2e-3) << t;
    const double left = luminance(color_at(ColorMap::diverging, t)),
                 right = luminance(color_at(ColorMap::diverging, u));
    if (u <= 0.5) {
      EXPECT_LE(left, right + 2e-3) << t;
    }
    if (t >= 0.5) {
      EXPECT_GE(left, right - 2e-3) << t;
    }
  }
  EXPECT_EQ(color_at(ColorMap::diverging, -5), color_at(ColorMap::diverging, 0));
  EXPECT_EQ(color_at(ColorMap::diverging, std::nan("")), (Rgb{128, 128, 128}));
}

}  // namespace
}  // namespace fluidsplat::draw
