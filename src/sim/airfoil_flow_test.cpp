// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/airfoil_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

AirfoilCase coarse() {
  AirfoilCase c;
  c.reynolds = 500;
  c.cells_per_chord = 24;
  c.lattice_velocity = 0.1;
  c.upstream = 2.5;
  c.downstream = 4;
  c.height = 5;
  return c;
}

// Drag of the pressure alone, from values at the wall, in the direction of x.
double pressure_drag(const AirfoilFlow& flow) {
  const auto wall = flow.airfoil().surface(400);
  double drag = 0;
  for (std::size_t i = 0; i < wall.size(); ++i) {
    const Vec2 a = wall[i].position, b = wall[(i + 1) % wall.size()].position;
    const double pressure = flow.at({0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}).pressure;
    drag -= 2 * pressure * (b.y - a.y);
  }
  return drag;
}

double friction_drag(const AirfoilFlow& flow) {
  const auto wall = flow.airfoil().surface(400);
  double drag = 0;
  for (std::size_t i = 0; i < wall.size(); ++i) {
    const Vec2 a = wall[i].position, b = wall[(i + 1) % wall.size()].position;
    const Vec2 n = flow.airfoil().nearest({0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}).normal;
    const double step = 0.2 / flow.settings().cells_per_chord;
    const auto value = flow.at({0.5 * (a.x + b.x) + step * n.x, 0.5 * (a.y + b.y) + step * n.y});
    const double along = value.u * -n.y + value.v * n.x;
    drag += 2 / flow.settings().reynolds * along / step * -n.y * std::hypot(b.x - a.x, b.y - a.y);
  }
  return drag;
}

TEST(AirfoilFlow, SymmetricAirfoilAtNoAngleHasNoLift) {
  auto c = coarse();
  c.cells_per_chord = 48;
  AirfoilFlow flow(c);
  const auto report = flow.run();
  ASSERT_TRUE(report.complete);
  EXPECT_TRUE(report.steady);
  EXPECT_NEAR(report.lift, 0, 1e-3);
  // Published for NACA 0012 at Reynolds number 500: 0.172 to 0.176 (see airfoil_flow_long_test.cpp).
  EXPECT_NEAR(report.drag, 0.175, 0.007);
  for (const Vec2 p : {Vec2{0.3, 0.1}, Vec2{1.2, 0.05}, Vec2{-0.2, 0.3}, Vec2{0.5, 0.061}}) {
    const auto above = flow.at(p), below = flow.at({p.x, -p.y});
    EXPECT_NEAR(above.u, below.u, 2e-3);
    EXPECT_NEAR(above.v, -below.v, 2e-3);
    EXPECT_NEAR(above.pressure, below.pressure, 2e-3);
  }
  // What the wall's values say agrees with the momentum that the lattice gave to the wall, but for the friction close
  // to the nose, where the boundary layer is thinner than a cell.
  const double sum = pressure_drag(flow) + friction_drag(flow);
  EXPECT_LT(sum, report.drag);
  EXPECT_GT(sum, 0.82 * report.drag);
  EXPECT_GT(friction_drag(flow), pressure_drag(flow)) << "a thin body";
}

TEST(AirfoilFlow, FieldsMeetTheWallAndTheStream) {
  auto c = coarse();
  c.angle = 6;
  c.digits = {2, 4, 12};
  c.settle_least = c.settle_most = 4;
  c.average = 0.5;
  AirfoilFlow flow(c);
  const auto report = flow.run();
  ASSERT_TRUE(report.complete);
  EXPECT_GT(report.lift, 0.2);
  for (const auto& p : flow.airfoil().surface(40)) {
    const auto value = flow.at(p.position);
    EXPECT_NEAR(std::hypot(value.u, value.v), 0, 1e-9);
    EXPECT_LT(std::abs(value.pressure), 3);
  }
  double highest = -10;
  for (const auto& p : flow.airfoil().surface(200)) highest = std::max(highest, flow.at(p.position).pressure);
  EXPECT_NEAR(highest, 0.53, 0.1) << "stagnation";
  const auto far = flow.at({-2, 0.3});
  EXPECT_NEAR(std::atan2(far.v, far.u) * 180 / M_PI, 6, 2.5);
  EXPECT_NEAR(std::hypot(far.u, far.v), 1, 0.05);
  EXPECT_LT(flow.at({1.5, 0.05}).u, 0.95) << "the wake";
  // Outside of the wake Bernoulli holds, with the pressure of the stream as zero.
  for (const Vec2 p : {Vec2{-1.5, 0}, Vec2{-1, 1.5}, Vec2{0.5, -1.5}, Vec2{2, -1.5}}) {
    const auto value = flow.at(p);
    EXPECT_NEAR(value.pressure + 0.5 * (value.u * value.u + value.v * value.v), 0.5, 0.01) << p.x << " " << p.y;
  }
  EXPECT_THROW(flow.at({20, 0}), Error);
}

TEST(AirfoilFlow, AnglesMirror) {
  auto c = coarse();
  c.settle_least = c.settle_most = 3;
  c.average = 0.5;
  c.angle = 4;
  const auto up = AirfoilFlow(c).run();
  c.angle = -4;
  const auto down = AirfoilFlow(c).run();
  EXPECT_NEAR(up.lift, -down.lift, 1e-3);
  EXPECT_NEAR(up.drag, down.drag, 1e-3);
  EXPECT_GT(up.lift, 0.1);
}

TEST(AirfoilFlow, StopsWhenAskedAndNoticesDivergence) {
  RunHooks hooks;
  int asked = 0;
  hooks.interrupted = [&] { return ++asked > 3; };
  AirfoilFlow flow(coarse());
  const auto report = flow.run(hooks);
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.diverged);
  EXPECT_LT(flow.time(), 1);

  auto wild = coarse();  // hardly any viscosity on a coarse lattice
  wild.reynolds = 5e6;
  wild.angle = 15;
  wild.lattice_velocity = 0.2;
  const auto diverged = AirfoilFlow(wild).run();
  EXPECT_FALSE(diverged.complete);
  EXPECT_TRUE(diverged.diverged);
}

TEST(AirfoilFlow, RefusesImpossibleCases) {
  const auto with = [](auto change) {
    auto c = coarse();
    change(c);
    AirfoilFlow flow(c);
  };
  EXPECT_THROW(with([](AirfoilCase& c) { c.reynolds = 0; }), Error);
  EXPECT_THROW(with([](AirfoilCase& c) { c.angle = 90; }), Error);
  EXPECT_THROW(with([](AirfoilCase& c) { c.cells_per_chord = 2; }), Error);
  EXPECT_THROW(with([](AirfoilCase& c) { c.lattice_velocity = 0.5; }), Error);
  EXPECT_THROW(with([](AirfoilCase& c) { c.sponge = 4; }), Error);
  EXPECT_THROW(with([](AirfoilCase& c) { c.digits = {1}; }), Error);
}

}  // namespace
}  // namespace fluidsplat::sim
