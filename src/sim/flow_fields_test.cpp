// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/flow_fields.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::sim {
namespace {

TEST(FlowFields, VorticityOfAShearIsExactUpToTheWalls) {
  const double shear = 1e-3, height = 10.15;
  for (const double lower : {0.3, 0.8}) {  // the first cell centre is 0.7 or 0.2 from the wall
    LbmSettings s;
    s.nx = 7;
    s.ny = 13;
    Lbm lbm(s, channel(lower, lower + height, shear * height));
    lbm.set_state([&](int, int y) { return Moments{0, float(shear * (y - lower)), 0}; });
    FlowFields f;
    FieldReader(lbm).read(lbm, f);
    for (int y = 1; y < s.ny - 1; ++y) {
      if (!lbm.fluid(3, y)) continue;
      EXPECT_NEAR(f.vorticity[y * s.nx + 3], -shear, 1e-6) << lower << " " << y;
    }
    // The solid rim continues the velocity linearly, for interpolation.
    EXPECT_NEAR(f.u[3], -shear * lower, 1e-7);
  }
}

TEST(FlowFields, VorticityNextToATurningCircle) {
  // u = c / r around the circle has no vorticity; plain differences across the wall would show some.
  const Vec2 centre{20.2, 19.7};
  const double radius = 6.3, speed = 0.05;
  LbmSettings s;
  s.nx = s.ny = 40;
  Lbm lbm(s, circle(centre, radius, speed));
  lbm.set_state([&](int x, int y) {
    const double dx = x - centre.x, dy = y - centre.y, swirl = speed * radius / (dx * dx + dy * dy);
    return Moments{0, float(-swirl * dy), float(swirl * dx)};
  });
  FlowFields f;
  FieldReader(lbm).read(lbm, f);
  for (int y = 3; y < s.ny - 3; ++y) {
    for (int x = 3; x < s.nx - 3; ++x) {
      if (!lbm.fluid(x, y)) continue;
      EXPECT_NEAR(f.vorticity[y * s.nx + x] * radius / speed, 0, 0.12) << x << " " << y;
    }
  }
  EXPECT_EQ(f.vorticity[20 * 40 + 20], 0);  // inside the body
}

TEST(FlowFields, PressureIsAThirdOfTheDensityDeviation) {
  LbmSettings s;
  s.nx = 5;
  s.ny = 4;
  Lbm lbm(s);
  lbm.set_state([](int x, int y) { return Moments{0.003f * float(x + 5 * y), 0, 0}; });
  FlowFields f;
  FieldReader(lbm).read(lbm, f);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(f.pressure[k], 0.001 * double(k), 1e-7);
}

}  // namespace
}  // namespace fluidsplat::sim
