// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/random.h"
#include "sim/d3/lattice.h"

namespace fluidsplat::sim::d3 {

enum class ObstacleKind { kEllipsoid, kRing };

// A body at rest, in any unit of length.
struct Obstacle {
  ObstacleKind kind = ObstacleKind::kEllipsoid;
  Vec3 centre;
  // Orthonormal.  A ring lies in the plane of the first two.
  std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  // Of an ellipsoid its half axes; of a ring the radius of its middle line and that of its tube.
  std::array<double, 3> radii{};
};

// To the surface: positive outside, negative inside.
double signed_distance(const Obstacle& obstacle, const Vec3& point);

// The distance from its centre within which all of it lies.
double reach(const Obstacle& obstacle);

// An ellipsoid or a ring, as likely, turned at random, of a size and at a place such that `gap` remains between it and
// the cube [0, side]^3 around it.
Obstacle random_obstacle(double side, double gap, Random random);

}  // namespace fluidsplat::sim::d3
