// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/flow_fields.h"

#include <algorithm>

namespace fluidsplat::sim {

namespace {

// The slope at 0 of the parabola through three points.
double slope(double a, double fa, double b, double fb, double c, double fc) {
  return -fa * (b + c) / ((a - b) * (a - c)) - fb * (a + c) / ((b - a) * (b - c)) - fc * (a + b) / ((c - a) * (c - b));
}

// A wall nearer than this to a cell centre makes the difference to that centre too uncertain.
constexpr double kNearest = 0.4;

// d/dx at cell i of n cells that are `stride` apart; the ends are one-sided.
float plain_slope(const float* f, long stride, int i, int n) {
  if (n == 1) return 0;
  if (i == 0) return f[stride] - f[0];
  if (i == n - 1) return f[0] - f[-stride];
  if (i == 1 || i == n - 2) return 0.5f * (f[stride] - f[-stride]);
  return (8 * (f[stride] - f[-stride]) - (f[2 * stride] - f[-2 * stride])) / 12;
}

}  // namespace

FieldReader::FieldReader(const Lbm& lbm) {
  if (!lbm.walls()) return;
  const auto solid = [&](int x, int y) { return x >= 0 && x < lbm.nx() && y >= 0 && y < lbm.ny() && !lbm.fluid(x, y); };
  for (int y = 0; y < lbm.ny(); ++y) {
    for (int x = 0; x < lbm.nx(); ++x) {
      bool axis = false, touches_fluid = false;
      for (int i = 1; i < kDirections; ++i) {
        const int xx = x + kCx[i], yy = y + kCy[i];
        if (i < 5) axis = axis || solid(xx, yy) || solid(xx + kCx[i], yy + kCy[i]);
        touches_fluid = touches_fluid || (xx >= 0 && xx < lbm.nx() && yy >= 0 && yy < lbm.ny() && lbm.fluid(xx, yy));
      }
      if (lbm.fluid(x, y) && axis) near_wall_[static_cast<long>(y) * lbm.nx() + x];
      if (!lbm.fluid(x, y) && touches_fluid) rim_.push_back({x, y});
    }
  }
  for (const WallLink& link : lbm.walls()->links()) {
    if (link.direction >= 5) continue;
    near_wall_[static_cast<long>(link.y) * lbm.nx() + link.x][link.direction] = {link.fraction, link.wall_velocity};
  }
}

double FieldReader::vorticity_near_wall(const Lbm& lbm, const FlowFields& f, int x, int y) const {
  const long cell = static_cast<long>(y) * f.nx + x;
  const Sides& sides = near_wall_.at(cell);
  const auto fluid_at = [&](int k, bool along_x) {
    const int xx = along_x ? x + k : x, yy = along_x ? y : y + k;
    return xx >= 0 && xx < f.nx && yy >= 0 && yy < f.ny && lbm.fluid(xx, yy);
  };
  // d(values)/dx or d(values)/dy; the wall moves with wall_value(side).
  const auto derivative = [&](const std::vector<float>& values, bool along_x, auto wall_value) {
    const long stride = along_x ? 1 : f.nx;
    const Wall& ahead = sides[along_x ? 1 : 3];
    const Wall& behind = sides[along_x ? 2 : 4];
    const auto value = [&](int k) { return double(values[cell + k * stride]); };
    if (ahead.distance > 0 && behind.distance > 0) {
      return slope(ahead.distance, wall_value(ahead), 0, value(0), -behind.distance, wall_value(behind));
    }
    if (ahead.distance > 0 || behind.distance > 0) {
      const int inward = ahead.distance > 0 ? -1 : 1;
      const Wall& wall = ahead.distance > 0 ? ahead : behind;
      const double at = -inward * wall.distance;
      if (!fluid_at(inward, along_x)) return (wall_value(wall) - value(0)) / at;
      if (wall.distance < kNearest && fluid_at(2 * inward, along_x)) {
        return slope(at, wall_value(wall), inward, value(inward), 2 * inward, value(2 * inward));
      }
      return slope(at, wall_value(wall), 0, value(0), inward, value(inward));
    }
    if (!fluid_at(1, along_x)) return fluid_at(-1, along_x) ? value(0) - value(-1) : 0.0;  // the lattice's edge
    if (!fluid_at(-1, along_x)) return value(1) - value(0);
    if (!fluid_at(2, along_x) || !fluid_at(-2, along_x)) return 0.5 * (value(1) - value(-1));
    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / 12;
  };
  const double motion = lbm.wall_motion();
  return derivative(f.v, true, [&](const Wall& w) { return motion * w.velocity.y; }) -
         derivative(f.u, false, [&](const Wall& w) { return motion * w.velocity.x; });
}

void FieldReader::read(const Lbm& lbm, FlowFields& f) const {
  f.nx = lbm.nx();
  f.ny = lbm.ny();
  const std::size_t cells = static_cast<std::size_t>(f.nx) * static_cast<std::size_t>(f.ny);
  for (auto* field : {&f.pressure, &f.u, &f.v, &f.vorticity}) field->assign(cells, 0);
  for (int y = 0; y < f.ny; ++y) {
    for (int x = 0; x < f.nx; ++x) {
      if (!lbm.fluid(x, y)) continue;
      const std::size_t cell =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x);
      const Moments m = lbm.at(x, y);
      f.pressure[cell] = m.density / 3;
      f.u[cell] = m.u;
      f.v[cell] = m.v;
    }
  }
  for (int y = 0; y < f.ny; ++y) {
    for (int x = 0; x < f.nx; ++x) {
      const std::size_t cell =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x);
      if (lbm.fluid(x, y)) {
        f.vorticity[cell] = plain_slope(&f.v[cell], 1, x, f.nx) - plain_slope(&f.u[cell], f.nx, y, f.ny);
      }
    }
  }
  for (const auto& [cell, sides] : near_wall_) {
    f.vorticity[cell] = float(vorticity_near_wall(lbm, f, int(cell % f.nx), int(cell / f.nx)));
  }
  const auto inside_fluid = [&](int x, int y) { return x >= 0 && x < f.nx && y >= 0 && y < f.ny && lbm.fluid(x, y); };
  for (auto* field : {&f.pressure, &f.u, &f.v, &f.vorticity}) {
    const auto value = [&](int x, int y) {
      return (*field)[static_cast<std::size_t>(y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(x)];
    };
    for (const Rim rim : rim_) {
      float sum = 0, count = 0;
      for (int i = 1; i < kDirections; ++i) {
        const int x1 = rim.x + kCx[i], y1 = rim.y + kCy[i], x2 = x1 + kCx[i], y2 = y1 + kCy[i];
        if (!inside_fluid(x1, y1)) continue;
        sum += inside_fluid(x2, y2) ? 2 * value(x1, y1) - value(x2, y2) : value(x1, y1);
        ++count;
      }
      (*field)[static_cast<std::size_t>(rim.y) * static_cast<std::size_t>(f.nx) + static_cast<std::size_t>(rim.x)] =
          sum / count;
    }
  }
}

}  // namespace fluidsplat::sim
