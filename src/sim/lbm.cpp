// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/lbm.h"

#include <utility>

#include "base/error.h"
#include "base/threads.h"

namespace fluidsplat::sim {

namespace {

LbmSettings checked(LbmSettings s) {
  if (s.nx < 1 || s.ny < 1) fail("lattice of {} x {} cells: both must be at least 1", s.nx, s.ny);
  if (!(s.viscosity > 0)) fail("lattice viscosity {}: must be positive", s.viscosity);
  if (!(s.magic > 0)) fail("magic parameter {}: must be positive", s.magic);
  if (s.sponge_width < 0 || s.sponge_width > s.nx) {
    fail("sponge of {} cells: must be between 0 and the {} cells of a row", s.sponge_width, s.nx);
  }
  if (s.threads <= 0) s.threads = available_threads();
  return s;
}

}  // namespace

Lbm::Lbm(const LbmSettings& settings, const Shape& shape)
    : settings_(checked(settings)),
      collision_(settings_.viscosity, settings_.magic, settings_.force.x, settings_.force.y),
      now_(settings_.nx, settings_.ny),
      next_(settings_.nx, settings_.ny) {
  if (shape.distance) walls_.emplace(nx(), ny(), shape);
  if (settings_.sponge_width > 0) {
    sponge_.emplace(nx(), settings_.sponge_width, settings_.sponge_strength, settings_.stream.velocity);
  }
  set_state([&](int, int) {
    return Moments{0, static_cast<float>(settings_.stream.velocity.x),
                   static_cast<float>(settings_.stream.velocity.y)};
  });
}

void Lbm::set_state(const std::function<Moments(int, int)>& state) {
  for (int y = 0; y < ny(); ++y) {
    for (int x = 0; x < nx(); ++x) {
      const Moments m = fluid(x, y) ? state(x, y) : Moments{};
      for (int i = 0; i < kDirections; ++i) now_.plane(i)[now_.index(x, y)] = equilibrium(i, m);
    }
  }
}

void Lbm::update_row(int y) {
  ConstRows from;
  Rows to;
  for (int i = 0; i < kDirections; ++i) {
    from[i] = now_.plane(i) + now_.index(-kCx[i], y - kCy[i]);
    to[i] = next_.plane(i) + next_.index(0, y);
  }
  stream_collide_row(from, to, nx(), collision_);
  if (sponge_) sponge_->apply_row(next_, y);
  if (walls_) walls_->clear_row(next_, y);
}

void Lbm::step(int count) {
  const int rows = ny();
  for (int k = 0; k < count; ++k) {
#pragma omp parallel num_threads(settings_.threads)
    {
#pragma omp for schedule(static)
      for (int y = 0; y < rows; ++y) fill_sides(now_, y, settings_.edge_x, settings_.stream);
#pragma omp single
      {
        fill_top_and_bottom(now_, settings_.edge_y, settings_.stream);
        if (walls_) force_ = walls_->reflect(now_, wall_motion_);
      }
#pragma omp for schedule(static)
      for (int y = 0; y < rows; ++y) update_row(y);
    }
    std::swap(now_, next_);
  }
}

Moments Lbm::at(int x, int y) const {
  Moments m = moments(now_.planes(), now_.index(x, y));
  // Populations after collision carry the whole force of the step; the velocity of the step has half of it.
  m.u -= 0.5f * collision_.force_x;
  m.v -= 0.5f * collision_.force_y;
  return m;
}

}  // namespace fluidsplat::sim
