// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/walls.h"

#include <algorithm>

namespace fluidsplat::sim {

namespace {

// Where the distance changes sign on the way from a fluid cell to a solid one, as a fraction of the way.
double crossing(const Shape& shape, Vec2 from, int direction) {
  double fluid = 0, solid = 1;
  for (int k = 0; k < 48; ++k) {
    const double middle = 0.5 * (fluid + solid);
    const Vec2 p{from.x + middle * kCx[direction], from.y + middle * kCy[direction]};
    (shape.distance(p) > 0 ? fluid : solid) = middle;
  }
  return std::max(0.5 * (fluid + solid), 1e-6);
}

}  // namespace

Walls::Walls(int nx, int ny, const Shape& shape) : nx_(nx), ny_(ny), fluid_((nx + 2) * (ny + 2)), solid_(ny) {
  for (int y = -1; y <= ny; ++y) {
    for (int x = -1; x <= nx; ++x) {
      const Vec2 p{double(x), double(y)};
      fluid_[(y + 1) * (nx + 2) + x + 1] = shape.distance(p) > 0;
    }
  }
  for (int y = 0; y < ny; ++y) {
    first_link_.push_back(links_.size());
    for (int x = 0; x < nx; ++x) {
      if (!fluid(x, y)) {
        auto& row = solid_[y];
        if (row.empty() || row.back().end != x) row.push_back({x, x});
        row.back().end = x + 1;
        continue;
      }
      for (int i = 1; i < kDirections; ++i) {
        if (fluid(x + kCx[i], y + kCy[i])) continue;
        const Vec2 p{double(x), double(y)};
        const double q = crossing(shape, p, i);
        const Vec2 velocity = shape.wall_velocity ? shape.wall_velocity({p.x + q * kCx[i], p.y + q * kCy[i]}) : Vec2{};
        links_.push_back({x, y, i, q, velocity, fluid(x - kCx[i], y - kCy[i])});
      }
    }
  }
  first_link_.push_back(links_.size());
}

Vec2 Walls::reflect_row(Populations& g, int y, double motion) const {
  Vec2 given;
  for (std::size_t k = first_link_[y]; k < first_link_[static_cast<std::size_t>(y) + 1]; ++k) {
    const WallLink& link = links_[k];
    const int out = link.direction, back = kOpposite[out];
    const long here = g.index(link.x, link.y), behind = g.index(link.x - kCx[out], link.y - kCy[out]),
               wall = g.index(link.x + kCx[out], link.y + kCy[out]);
    const double q = link.fraction, outgoing = g.plane(out)[here];
    const double wall_term =
        6.0 * kWeight[out] * motion * (kCx[out] * link.wall_velocity.x + kCy[out] * link.wall_velocity.y);
    double reflected;
    if (q < 0.5 && link.room_behind) {
      reflected = 2 * q * outgoing + (1 - 2 * q) * g.plane(out)[behind] - wall_term;
    } else if (q < 0.5) {  // a gap of one cell: nothing to interpolate with
      reflected = outgoing - wall_term;
    } else {
      reflected = (outgoing + (2 * q - 1) * g.plane(back)[here] - wall_term) / (2 * q);
    }
    g.plane(back)[wall] = float(reflected);
    given.x += kCx[out] * (outgoing + reflected);
    given.y += kCy[out] * (outgoing + reflected);
  }
  return given;
}

void Walls::clear_row(Populations& g, int y) const {
  for (const Span span : solid_[y]) {
    for (int i = 0; i < kDirections; ++i) {
      std::fill(g.plane(i) + g.index(span.begin, y), g.plane(i) + g.index(span.end, y), 0.f);
    }
  }
}

}  // namespace fluidsplat::sim
