// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/edges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/lbm.h"

namespace fluidsplat::sim {
namespace {

double largest_pressure(const Lbm& lbm) {
  double largest = 0;
  for (int y = 0; y < lbm.ny(); ++y) {
    for (int x = 0; x < lbm.nx(); ++x) largest = std::max(largest, std::abs(lbm.at(x, y).density / 3.0));
  }
  return largest;
}

LbmSettings box(Edge edge) {
  LbmSettings s;
  s.nx = 80;
  s.ny = 70;
  s.edges.x = s.edges.y = edge;
  s.edges.stream.velocity = {0.08, 0.02};
  return s;
}

TEST(Edges, AUniformStreamStaysUniform) {
  Lbm lbm(box(Edge::kFarField));
  lbm.step(500);
  for (int y = 0; y < lbm.ny(); ++y) {
    for (int x = 0; x < lbm.nx(); ++x) {
      const Moments m = lbm.at(x, y);
      ASSERT_NEAR(m.density, 0, 1e-5);
      ASSERT_NEAR(m.u, 0.08, 1e-5);
      ASSERT_NEAR(m.v, 0.02, 1e-5);
    }
  }
}

TEST(Edges, SoundLeavesThroughTheFarField) {
  const auto rest_of_a_pulse = [](Edge edge) {
    Lbm lbm(box(edge));
    lbm.set_state([&](int x, int y) {
      const double r2 = std::pow(x - 40, 2) + std::pow(y - 35, 2);
      return Moments{float(0.01 * std::exp(-r2 / 40)), 0.08f, 0.02f};
    });
    const double before = largest_pressure(lbm);
    lbm.step(250);  // sound has crossed the box nearly twice
    return largest_pressure(lbm) / before;
  };
  EXPECT_LT(rest_of_a_pulse(Edge::kFarField), 0.02);
  EXPECT_GT(rest_of_a_pulse(Edge::kPeriodic), 0.05);
}

TEST(Edges, FarStreamIsPotentialFlowWithASource) {
  FarStream stream;
  stream.velocity = {0.1, 0.03};
  stream.body = {5, -3};
  stream.radius = 2;
  // No flow through the circle without the source; the source's outflow with it.
  for (const double source : {0.0, 0.7}) {
    stream.source = source;
    double flux = 0;
    const int n = 64;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n, nx = std::cos(angle), ny = std::sin(angle);
      const Vec2 v = stream.at(5 + 2 * nx, -3 + 2 * ny);
      if (source == 0) {
        EXPECT_NEAR(v.x * nx + v.y * ny, 0, 1e-12);
      }
      flux += (v.x * nx + v.y * ny) * 2 * std::numbers::pi * 2 / n;
    }
    EXPECT_NEAR(flux, source, 1e-12);
  }
  const Vec2 far = stream.at(1e6, 1e6);
  EXPECT_NEAR(far.x, 0.1, 1e-6);
  EXPECT_NEAR(far.y, 0.03, 1e-6);
}

// Lift upwards in a stream to the right goes with a clockwise vortex: faster above the body, slower below.
TEST(FarStream, CirculatesByWhatTheLiftSays) {
  FarStream stream;
  stream.velocity = {0.1, 0};
  stream.body = {3, 4};
  stream.circulation = 0.7;
  EXPECT_GT(stream.at(3, 9).x, 0.1);
  EXPECT_LT(stream.at(3, -1).x, 0.1);
  double around = 0, out = 0;
  const int steps = 400;
  for (int k = 0; k < steps; ++k) {
    const double angle = 2 * std::numbers::pi * k / steps, radius = 5;
    const Vec2 at = stream.at(3 + radius * std::cos(angle), 4 + radius * std::sin(angle));
    const double part = 2 * std::numbers::pi * radius / steps;
    around += part * (at.y * std::cos(angle) - at.x * std::sin(angle));
    out += part * (at.x * std::cos(angle) + at.y * std::sin(angle));
  }
  EXPECT_NEAR(around, -0.7, 1e-9);
  EXPECT_NEAR(out, 0, 1e-9);
}

}  // namespace
}  // namespace fluidsplat::sim
