// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/obstacle.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::sim::d3 {

namespace {

using Triple = std::array<double, 3>;

double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Coordinates along the obstacle's axes, from its centre.
Triple own_coordinates(const Obstacle& o, const Vec3& p) {
  const Vec3 d{p.x - o.centre.x, p.y - o.centre.y, p.z - o.centre.z};
  return {dot(d, o.axes[0]), dot(d, o.axes[1]), dot(d, o.axes[2])};
}

// The nearest point of the ellipsoid is x_i = r_i^2 y_i / (t + r_i^2) for the largest root t of
// sum (r_i y_i / (t + r_i^2))^2 = 1, whose left side falls from infinity to 0 beyond t = -(smallest r_i)^2.
double ellipsoid_distance(const Triple& radii, const Triple& y) {
  const auto excess = [&](double t) {
    double sum = -1;
    for (int i = 0; i < 3; ++i) {
      const double q = radii[i] * y[i] / (t + radii[i] * radii[i]);
      sum += q * q;
    }
    return sum;
  };
  const double smallest = *std::min_element(radii.begin(), radii.end());
  const double largest = *std::max_element(radii.begin(), radii.end());
  double low = -smallest * smallest, high = low + largest * std::hypot(y[0], y[1], y[2]);
  const bool inside = excess(0) < 0;
  (inside ? high : low) = 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  const double t = 0.5 * (low + high);
  Triple nearest;
  double missing = 1, square = 0;  // of the surface's equation, by the axes that are not the shortest
  for (int i = 0; i < 3; ++i) {
    nearest[i] = radii[i] * radii[i] * y[i] / (t + radii[i] * radii[i]);
    if (radii[i] > smallest) missing -= nearest[i] * nearest[i] / (radii[i] * radii[i]);
  }
  // Deep inside, the nearest point can lie off the plane of the longer axes although y does not: t is at its limit.
  const bool at_limit = inside && t + smallest * smallest < 1e-9 * smallest * smallest;
  double along_shortest = at_limit ? smallest * std::sqrt(std::max(missing, 0.0)) : 0;
  for (int i = 0; i < 3; ++i) {
    if (at_limit && radii[i] == smallest) {
      nearest[i] = along_shortest;
      along_shortest = 0;
    }
    square += (nearest[i] - y[i]) * (nearest[i] - y[i]);
  }
  return inside ? -std::sqrt(square) : std::sqrt(square);
}

std::array<Vec3, 3> random_axes(Random& random) {
  double q[4], norm = 0;  // a quaternion in any direction is a rotation of any kind
  for (double& part : q) part = random.normal(), norm += part * part;
  for (double& part : q) part /= std::sqrt(norm);
  const double a = q[0], b = q[1], c = q[2], d = q[3];
  return {Vec3{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
          Vec3{2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)},
          Vec3{2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d}};
}

}  // namespace

double signed_distance(const Obstacle& o, const Vec3& point) {
  const Triple y = own_coordinates(o, point);
  if (o.kind == ObstacleKind::kEllipsoid) return ellipsoid_distance(o.radii, y);
  return std::hypot(std::hypot(y[0], y[1]) - o.radii[0], y[2]) - o.radii[1];
}

double reach(const Obstacle& o) {
  return o.kind == ObstacleKind::kRing ? o.radii[0] + o.radii[1] : *std::max_element(o.radii.begin(), o.radii.end());
}

Obstacle random_obstacle(double side, double gap, Random random) {
  Obstacle o;
  o.kind = random.uniform() < 0.5 ? ObstacleKind::kEllipsoid : ObstacleKind::kRing;
  if (o.kind == ObstacleKind::kEllipsoid) {
    for (double& radius : o.radii) radius = random.uniform(0.08, 0.22) * side;
  } else {
    o.radii[0] = random.uniform(0.13, 0.22) * side;
    o.radii[1] = random.uniform(0.05, 0.08) * side;
  }
  o.axes = random_axes(random);
  const double free = side - 2 * (gap + reach(o));
  for (double* at : {&o.centre.x, &o.centre.y, &o.centre.z}) *at = 0.5 * side + (random.uniform() - 0.5) * free;
  return o;
}

}  // namespace fluidsplat::sim::d3
