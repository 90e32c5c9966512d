// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/shape.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::sim {

namespace {

Vec2 turning(Vec2 p, Vec2 centre, double speed) {
  const double dx = p.x - centre.x, dy = p.y - centre.y, r = std::hypot(dx, dy);
  return {-speed * dy / r, speed * dx / r};
}

}  // namespace

Shape circle(Vec2 centre, double radius, double surface_speed) {
  return {[=](Vec2 p) { return std::hypot(p.x - centre.x, p.y - centre.y) - radius; },
          [=](Vec2 p) { return turning(p, centre, surface_speed); }};
}

Shape ellipse(Vec2 centre, Vec2 half_axes, double surface_speed) {
  return {
      [=](Vec2 p) { return std::hypot((p.x - centre.x) * half_axes.y / half_axes.x, p.y - centre.y) - half_axes.y; },
      [=](Vec2 p) { return turning(p, centre, surface_speed); }};
}

Shape channel(double lower, double upper, double upper_speed) {
  return {[=](Vec2 p) { return std::min(p.y - lower, upper - p.y); },
          [=](Vec2 p) {
            return Vec2{p.y > 0.5 * (lower + upper) ? upper_speed : 0, 0};
          }};
}

Shape annulus(Vec2 centre, double inner, double outer, double inner_speed, double outer_speed) {
  return {[=](Vec2 p) {
            const double r = std::hypot(p.x - centre.x, p.y - centre.y);
            return std::min(r - inner, outer - r);
          },
          [=](Vec2 p) {
            const double r = std::hypot(p.x - centre.x, p.y - centre.y);
            return turning(p, centre, r < 0.5 * (inner + outer) ? inner_speed : outer_speed);
          }};
}

}  // namespace fluidsplat::sim
