// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace fluidsplat::sim {

struct Vec2 {
  double x = 0, y = 0;
};

// Where fluid is and how its walls move, in lattice units (cell centres at integer coordinates).
struct Shape {
  // Signed distance to the wall: positive in the fluid, negative in the solid.  Only its sign and its zero are used, so
  // any continuous function with the right zero set will do.
  std::function<double(Vec2)> distance;
  // Velocity of the wall at a point of it; empty means at rest.
  std::function<Vec2(Vec2)> wall_velocity;
};

// Fluid outside a circle; the wall turns counter-clockwise with this speed at its surface.
Shape circle(Vec2 centre, double radius, double surface_speed = 0);
// Fluid outside an ellipse with these half axes along x and y; its wall moves as a circle's would that turns.
Shape ellipse(Vec2 centre, Vec2 half_axes, double surface_speed = 0);
// Fluid between two horizontal walls; the upper one moves to the right.
Shape channel(double lower, double upper, double upper_speed = 0);
// Fluid between two concentric circles, each turning counter-clockwise with its surface speed.
Shape annulus(Vec2 centre, double inner, double outer, double inner_speed, double outer_speed);

}  // namespace fluidsplat::sim
