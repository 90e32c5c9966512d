// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/walls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/convergence.h"
#include "sim/d3/lbm.h"

namespace fluidsplat::sim::d3 {
namespace {

// Between a resting wall at y = -1/2 and a lid at y = ny - 1/2 the velocity is linear, and exactly so on the lattice.
TEST(Walls3, ALidDragsTheFluidLinearly) {
  LbmSettings s;
  s.size = {3, 9, 4};
  s.viscosity = 0.1;
  s.threads = 1;
  s.edges = {Edge::kPeriodic, Edge::kWall, Edge::kPeriodic, {0.03, 0, -0.02}};
  Lbm lbm(s);
  lbm.step(4000);
  for (Index y = 0; y < s.size.ny; ++y) {
    const double share = (double(y) + 0.5) / double(s.size.ny);
    const Moments m = lbm.at(1, y, 2);
    EXPECT_NEAR(m.u, 0.03 * share, 1e-6) << y;
    EXPECT_NEAR(m.w, -0.02 * share, 1e-6) << y;
    EXPECT_NEAR(m.v, 0, 1e-6) << y;
  }
}

// A closed box keeps its mass: what comes to a wall goes back, and what the lid adds cancels.
TEST(Walls3, AClosedBoxKeepsItsMass) {
  LbmSettings s;
  s.size = {12, 10, 8};
  s.viscosity = 0.02;
  s.threads = 1;
  s.edges = {Edge::kWall, Edge::kWall, Edge::kWall, {0.1, 0, 0}};
  Lbm lbm(s);
  lbm.step(2000);
  double mass = 0;
  for (Index z = 0; z < s.size.nz; ++z)
    for (Index y = 0; y < s.size.ny; ++y)
      for (Index x = 0; x < s.size.nx; ++x) mass += lbm.at(x, y, z).density;
  EXPECT_NEAR(mass / double(s.size.cells()), 0, 1e-6);
}

// Slow flow between an inner sphere that turns about z and a resting one of twice its radius: the angular velocity is
// A + B / r^3.  The torque on both spheres is not asked for, the flow is.
double turning_spheres_error(double inner, const Vec3& shift) {
  const double outer = 2 * inner, spin = 0.005 / inner;
  LbmSettings s;
  const Index n = std::llround(std::ceil(2 * outer)) + 3;
  s.size = {n, n, n};
  s.viscosity = 0.1;
  s.threads = 1;
  const Vec3 c{0.5 * double(n - 1) + shift.x, 0.5 * double(n - 1) + shift.y, 0.5 * double(n - 1) + shift.z};
  const auto radius = [c](const Vec3& p) { return std::hypot(p.x - c.x, p.y - c.y, p.z - c.z); };
  Lbm lbm(s, {[=](Vec3 p) { return std::min(radius(p) - inner, outer - radius(p)); },
              [=](Vec3 p) {
                const double turn = radius(p) < 1.5 * inner ? spin : 0;
                return Vec3{-turn * (p.y - c.y), turn * (p.x - c.x), 0};
              }});
  lbm.step(std::llround(1.5 * inner * inner / s.viscosity));
  const double b = spin / (1 / std::pow(inner, 3) - 1 / std::pow(outer, 3)), a = -b / std::pow(outer, 3);
  double error = 0, norm = 0;
  for (Index z = 0; z < n; ++z)
    for (Index y = 0; y < n; ++y)
      for (Index x = 0; x < n; ++x) {
        if (!lbm.fluid(x, y, z)) continue;
        const double dx = double(x) - c.x, dy = double(y) - c.y;
        const double turn = a + b / std::pow(radius({double(x), double(y), double(z)}), 3);
        const Moments m = lbm.at(x, y, z);
        error += std::pow(m.u + turn * dy, 2) + std::pow(m.v - turn * dx, 2) + std::pow(m.w, 2);
        norm += turn * turn * (dx * dx + dy * dy);
      }
  return std::sqrt(error / norm);
}

TEST(Walls3, FlowBetweenTurningSpheresConvergesAtSecondOrder) {
  std::vector<double> sizes, errors;
  for (const double inner : {3.0, 5.0, 7.0}) {
    sizes.push_back(inner);
    double mean = 0;  // over positions of the spheres on the lattice
    for (const Vec3& shift : {Vec3{0.13, -0.32, 0.21}, Vec3{0.41, 0.08, -0.37}, Vec3{-0.27, -0.19, 0.05}})
      mean += turning_spheres_error(inner, shift);
    errors.push_back(mean / 3);
  }
  EXPECT_LT(errors.back(), 0.02);
  EXPECT_GT(convergence_order(sizes, errors), 1.7);
  EXPECT_LT(convergence_order(sizes, errors), 2.6);
}

// What a resting body takes from a stream, the stream loses.
TEST(Walls3, TheForceOnABodyIsTheMomentumThatTheFluidLoses) {
  LbmSettings s;
  s.size = {20, 18, 16};
  s.viscosity = 0.05;
  s.threads = 1;
  Lbm lbm(s, {[](Vec3 p) { return std::hypot(p.x - 9.3, p.y - 8.6, p.z - 7.8) - 3.4; }, {}});
  lbm.set_state([](Index, Index, Index) { return Moments{0, 0.05f, 0.01f, 0}; });
  const auto momentum = [&] {
    Vec3 sum;
    for (Index z = 0; z < s.size.nz; ++z)
      for (Index y = 0; y < s.size.ny; ++y)
        for (Index x = 0; x < s.size.nx; ++x) {
          if (!lbm.fluid(x, y, z)) continue;
          const Moments m = lbm.at(x, y, z);
          sum.x += m.u, sum.y += m.v, sum.z += m.w;
        }
    return sum;
  };
  lbm.step(50);
  const Vec3 before = momentum(), force = lbm.force_on_body();
  lbm.step();
  const Vec3 after = momentum();
  EXPECT_GT(force.x, 0.01);
  EXPECT_NEAR(before.x - after.x, force.x, 1e-3 * force.x);
  EXPECT_NEAR(before.y - after.y, force.y, 1e-3 * force.x);
  EXPECT_NEAR(before.z - after.z, force.z, 1e-3 * force.x);
}

}  // namespace
}  // namespace fluidsplat::sim::d3
