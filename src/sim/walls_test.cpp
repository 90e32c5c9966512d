// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/walls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/convergence.h"
#include "sim/lbm.h"

namespace fluidsplat::sim {
namespace {

TEST(Walls, FractionsOfACircleAreExact) {
  const Vec2 centre{10.3, 9.6};
  const double radius = 4.45;
  const Walls walls(21, 20, circle(centre, radius));
  ASSERT_GT(walls.links().size(), 50u);
  for (const WallLink& link : walls.links()) {
    const double x = link.x + link.fraction * kCx[link.direction], y = link.y + link.fraction * kCy[link.direction];
    EXPECT_NEAR(std::hypot(x - centre.x, y - centre.y), radius, 1e-10);
    EXPECT_TRUE(walls.fluid(link.x, link.y));
    EXPECT_FALSE(walls.fluid(link.x + kCx[link.direction], link.y + kCy[link.direction]));
  }
}

// Flow between walls at y = lower and y = lower + height, driven by a force.
struct Poiseuille {
  double worst_error = 0;    // of the velocity, relative to its maximum
  double force_balance = 0;  // force on the walls / force on the fluid

  Poiseuille(double lower, double height, double top_speed = 0.05) {
    LbmSettings s;
    s.nx = 3;
    s.ny = int(std::ceil(lower + height)) + 2;
    s.viscosity = 0.1;
    s.force = {8 * s.viscosity * top_speed / (height * height), 0};
    const auto exact = [&](double y) { return 4 * top_speed * (y - lower) * (lower + height - y) / (height * height); };
    Lbm lbm(s, channel(lower, lower + height));
    lbm.set_state([&](int, int y) { return Moments{0, float(exact(y)), 0}; });
    lbm.step(int(2 * height * height / s.viscosity));
    int fluid_rows = 0;
    for (int y = 0; y < s.ny; ++y) {
      if (!lbm.fluid(0, y)) continue;
      ++fluid_rows;
      worst_error = std::max(worst_error, std::abs(lbm.at(0, y).u - exact(y)) / top_speed);
    }
    force_balance = lbm.force_on_walls().x / (s.force.x * s.nx * fluid_rows);
  }
};

TEST(Walls, ChannelWithHalfwayWallsIsExact) {
  // The magic parameter 3/16 makes the parabola exact for walls half-way between cells, on any lattice.
  for (const double height : {4.0, 9.0, 20.0}) EXPECT_LT(Poiseuille(0.5, height).worst_error, 5e-5) << height;
}

TEST(Walls, ChannelWithWallsAnywhereConvergesAtSecondOrder) {
  for (const double offset : {0.1, 0.3, 0.85}) {
    std::vector<double> sizes, errors;
    for (const double height : {8.4, 16.4, 32.4}) {
      sizes.push_back(height);
      errors.push_back(Poiseuille(offset, height).worst_error);
    }
    EXPECT_LT(errors.front(), 0.03) << offset;
    EXPECT_GT(convergence_order(sizes, errors), 1.8) << offset;
    EXPECT_LT(convergence_order(sizes, errors), 2.3) << offset;
  }
}

TEST(Walls, ForceOnTheWallsBalancesTheForceOnTheFluid) {
  for (const double offset : {0.5, 0.2}) EXPECT_NEAR(Poiseuille(offset, 9).force_balance, 1, 1e-4) << offset;
}

// Flow between a turning inner and a resting outer circle of twice its radius: u = A r + B / r.
double couette_error(double inner, Vec2 shift) {
  const double outer = 2 * inner, speed = 0.3 / inner;
  LbmSettings s;
  s.nx = s.ny = int(2 * outer) + 5;
  s.viscosity = 0.1;
  const Vec2 centre{0.5 * s.nx + shift.x, 0.5 * s.ny + shift.y};
  Lbm lbm(s, annulus(centre, inner, outer, speed, 0));
  lbm.step(int(2 * inner * inner / s.viscosity));
  const double b = speed * inner * outer * outer / (outer * outer - inner * inner), a = -b / (outer * outer);
  double error = 0, norm = 0;
  for (int y = 0; y < s.ny; ++y) {
    for (int x = 0; x < s.nx; ++x) {
      if (!lbm.fluid(x, y)) continue;
      const double dx = x - centre.x, dy = y - centre.y, r = std::hypot(dx, dy), swirl = (a * r + b / r) / r;
      const Moments m = lbm.at(x, y);
      error += std::pow(m.u + swirl * dy, 2) + std::pow(m.v - swirl * dx, 2);
      norm += swirl * swirl * r * r;
    }
  }
  return std::sqrt(error / norm);
}

TEST(Walls, FlowBetweenTurningCirclesConvergesAtSecondOrder) {
  std::vector<double> sizes, errors;
  for (const double inner : {6.0, 12.0, 24.0}) {
    sizes.push_back(inner);
    double mean = 0;  // over positions of the circles on the lattice
    for (const Vec2 shift : {Vec2{0.13, -0.32}, Vec2{0.41, 0.08}, Vec2{-0.27, -0.19}})
      mean += couette_error(inner, shift);
    errors.push_back(mean / 3);
  }
  EXPECT_LT(errors.front(), 0.03);
  EXPECT_GT(convergence_order(sizes, errors), 1.8);
  EXPECT_LT(convergence_order(sizes, errors), 2.6);
}

}  // namespace
}  // namespace fluidsplat::sim
