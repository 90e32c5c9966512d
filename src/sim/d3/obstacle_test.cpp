// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/obstacle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::sim::d3 {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec3 on_surface(const Obstacle& o, double s, double t) {
  const auto& r = o.radii;
  double p[3];
  if (o.kind == ObstacleKind::kEllipsoid) {
    p[0] = r[0] * std::cos(s) * std::sin(t), p[1] = r[1] * std::sin(s) * std::sin(t), p[2] = r[2] * std::cos(t);
  } else {
    const double out = r[0] + r[1] * std::cos(t);
    p[0] = out * std::cos(s), p[1] = out * std::sin(s), p[2] = r[1] * std::sin(t);
  }
  Vec3 x = o.centre;
  for (int i = 0; i < 3; ++i) x.x += p[i] * o.axes[i].x, x.y += p[i] * o.axes[i].y, x.z += p[i] * o.axes[i].z;
  return x;
}

// The smallest distance to many points of the surface.
double searched_distance(const Obstacle& o, const Vec3& p) {
  double best = 1e9;
  const int n = 240;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double turn = 2 * std::numbers::pi / n;
      const Vec3 x = on_surface(o, turn * i, turn * j);
      best = std::min(best, std::hypot(p.x - x.x, p.y - x.y, p.z - x.z));
    }
  return best;
}

TEST(Obstacle, DistanceIsThatToTheNearestPointOfTheSurface) {
  Random random(5);
  for (std::uint64_t k = 0; k < 4; ++k) {
    const Obstacle o = random_obstacle(2, 0.2, Random(1, k));
    for (int i = 0; i < 8; ++i) {
      const Vec3 p{random.uniform(0, 2), random.uniform(0, 2), random.uniform(0, 2)};
      EXPECT_NEAR(std::abs(signed_distance(o, p)), searched_distance(o, p), 5e-3) << "shape " << k << " point " << i;
    }
    EXPECT_NEAR(signed_distance(o, on_surface(o, 1, 2)), 0, 1e-9);
  }
}

TEST(Obstacle, DeepInsideAnEllipsoidTheShortAxisDecides) {
  Obstacle o;
  o.radii = {0.3, 0.1, 0.2};
  EXPECT_NEAR(signed_distance(o, {0, 0, 0}), -0.1, 1e-9);
  EXPECT_NEAR(signed_distance(o, {0.1, 0, 0}), -searched_distance(o, {0.1, 0, 0}), 1e-3);
  EXPECT_NEAR(signed_distance(o, {0.5, 0, 0}), 0.2, 1e-9);
  o.radii = {0.2, 0.2, 0.2};
  EXPECT_NEAR(signed_distance(o, {0, 0, 0}), -0.2, 1e-9);
  EXPECT_NEAR(signed_distance(o, {0.03, -0.04, 0}), -0.15, 1e-9);
}

TEST(Obstacle, ARingHasAHole) {
  Obstacle o;
  o.kind = ObstacleKind::kRing;
  o.radii = {0.4, 0.1, 0};
  EXPECT_NEAR(signed_distance(o, {0, 0, 0}), 0.3, 1e-12);
  EXPECT_NEAR(signed_distance(o, {0, 0.4, 0}), -0.1, 1e-12);
  EXPECT_NEAR(signed_distance(o, {0.4, 0, 0.25}), 0.15, 1e-12);
}

TEST(Obstacle, RandomOnesDifferKeepTheGapAndAreOfBothKinds) {
  int rings = 0;
  for (std::uint64_t k = 0; k < 60; ++k) {
    const Obstacle o = random_obstacle(2, 0.2, Random(7, k));
    rings += o.kind == ObstacleKind::kRing;
    for (const double at : {o.centre.x, o.centre.y, o.centre.z}) {
      EXPECT_GE(at - reach(o), 0.2 - 1e-12);
      EXPECT_LE(at + reach(o), 1.8 + 1e-12);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(dot(o.axes[i], o.axes[j]), i == j, 1e-12);
    EXPECT_NE(o.centre.x, random_obstacle(2, 0.2, Random(7, k + 1)).centre.x);
    EXPECT_EQ(o.centre.x, random_obstacle(2, 0.2, Random(7, k)).centre.x);
  }
  EXPECT_GT(rings, 15);
  EXPECT_LT(rings, 45);
}

}  // namespace
}  // namespace fluidsplat::sim::d3
