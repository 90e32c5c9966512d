// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_cloud.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluidsplat::benchmarks {

namespace {

using sim::Vec2;

constexpr double kLeft = -2, kRight = 4, kHalfHeight = 1.5;
constexpr double kFirstRing = 0.002;

// Within this distance from the wall grid lines turn from its normal towards their place on the box.
constexpr double kTurn = 0.8;

// Where the ray at this angle from the middle of the chord leaves the box.
Vec2 on_box(double angle) {
  const Vec2 from{0.5, 0}, along{std::cos(angle), std::sin(angle)};
  double reach = 1e9;
  if (along.x > 1e-12) reach = std::min(reach, (kRight - from.x) / along.x);
  if (along.x < -1e-12) reach = std::min(reach, (kLeft - from.x) / along.x);
  if (std::abs(along.y) > 1e-12) reach = std::min(reach, kHalfHeight / std::abs(along.y));
  return {from.x + reach * along.x, from.y + reach * along.y};
}

// 1 + g + g^2 + ... of n terms.
double series(double g, Index n) {
  return std::abs(g - 1) < 1e-9 ? double(n) : (std::pow(g, double(n)) - 1) / (g - 1);
}

// The growth from ring to ring that leads from the first to `reach` in n steps, by bisection.
double growth(double reach, Index n) {
  double low = 1, high = 3;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (kFirstRing * series(middle, n) < reach ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The direction in which a grid line leaves the wall: along the normal, but around the trailing edge, where the normal
// jumps from one side to the other, turning gradually, so that the near wake is covered.
Vec2 start_direction(const std::vector<sim::NacaAirfoil::SurfacePoint>& wall, Index i) {
  const Index count = std::ssize(wall), from_edge = std::min(i, count - i), spread = count / 16;
  const Vec2 normal = wall[i].normal;
  if (from_edge >= spread) return normal;
  const double edge = std::atan2(wall[0].normal.y, wall[0].normal.x), here = std::atan2(normal.y, normal.x);
  const double angle = edge + (here - edge) * double(from_edge) / double(spread);
  return {std::cos(angle), std::sin(angle)};
}

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

AirfoilCloud make_airfoil_cloud(const sim::NacaAirfoil& airfoil, Index around, Index rings) {
  AirfoilCloud out;
  out.around = around;
  out.rings = rings;
  out.wall = airfoil.surface(around);
  out.points.resize(around * rings);
  for (Index i = 0; i < around; ++i) {
    const auto& wall = out.wall[i];
    const Vec2 end = on_box(2 * std::numbers::pi * double(i) / double(around)), start = start_direction(out.wall, i);
    const Vec2 way{end.x - wall.position.x, end.y - wall.position.y};
    const double reach = std::hypot(way.x, way.y), g = growth(reach, rings - 1);
    for (Index ring = 0; ring < rings; ++ring) {
      const double r = std::min(reach, kFirstRing * series(g, ring)), turned = smooth(r / kTurn);
      out.points[out.at(ring, i)] = {wall.position.x + r * ((1 - turned) * start.x + turned * way.x / reach),
                                     wall.position.y + r * ((1 - turned) * start.y + turned * way.y / reach)};
    }
  }
  for (const Vec2 p : out.points) out.distance.push_back(airfoil.signed_distance(p));
  for (Index i = 0; i < around; ++i) out.distance[i] = 0;
  for (Index ring = 0; ring + 1 < rings; ++ring)
    for (Index i = 0; i < around; ++i)
      out.quads.push_back({out.at(ring, i), out.at(ring + 1, i), out.at(ring + 1, i + 1), out.at(ring, i + 1)});
  return out;
}

}  // namespace fluidsplat::benchmarks
