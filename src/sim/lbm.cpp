// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/lbm.h"

#include <utility>

#include "base/misuse.h"
#include "base/threads.h"

namespace fluidsplat::sim {

namespace {

LbmSettings checked(LbmSettings s) {
  if (s.nx < 1 || s.ny < 1) misuse("lattice of {} x {} cells: both must be at least 1", s.nx, s.ny);
  if (!(s.viscosity > 0)) misuse("lattice viscosity {}: must be positive", s.viscosity);
  if (!(s.magic > 0)) misuse("magic parameter {}: must be positive", s.magic);
  if (s.sponge_width < 0 || s.sponge_width > s.nx) {
    misuse("sponge of {} cells: must be between 0 and the {} cells of a row", s.sponge_width, s.nx);
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
    sponge_.emplace(nx(), settings_.sponge_width, settings_.sponge_strength, settings_.edges.stream.velocity);
  }
  set_state([&](int, int) {
    return Moments{0, float(settings_.edges.stream.velocity.x), float(settings_.edges.stream.velocity.y)};
  });
}

void Lbm::set_state(const std::function<Moments(int, int)>& state) {
  for (int y = 0; y < ny(); ++y) {
    for (int x = 0; x < nx(); ++x) {
      const Moments m = fluid(x, y) ? state(x, y) : Moments{};
      for (int i = 0; i < kDirections; ++i) now_.plane(i)[now_.index(x, y)] = equilibrium(i, m);
    }
    settings_.edges.fill_from_row(now_, y);
  }
}

Vec2 Lbm::update_row(Populations& from, Populations& to, int y) const {
  const Vec2 force = walls_ ? walls_->reflect_row(from, y, wall_motion_) : Vec2{};
  ConstRows from_rows;
  Rows to_rows;
  for (int i = 0; i < kDirections; ++i) {
    from_rows[i] = from.plane(i) + from.index(-kCx[i], y - kCy[i]);
    to_rows[i] = to.plane(i) + to.index(0, y);
  }
  stream_collide_row(from_rows, to_rows, nx(), collision_);
  if (sponge_) sponge_->apply_row(to, y);
  if (walls_) walls_->clear_row(to, y);
  settings_.edges.fill_from_row(to, y);
  return force;
}

void Lbm::step(int count) {
  const int rows = ny();
  row_forces_.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(rows));
  Populations* const buffers[2] = {&now_, &next_};
#pragma omp parallel num_threads(settings_.threads)
  for (int k = 0; k < count; ++k) {
    Populations &from = *buffers[k % 2], &to = *buffers[(k + 1) % 2];
    Vec2* const forces = row_forces_.data() + static_cast<long>(k) * rows;
    // Everything that a row needs from other rows is from the step before: one barrier per step, at the loop's end.
#pragma omp for schedule(static)
    for (int y = 0; y < rows; ++y) forces[y] = update_row(from, to, y);
  }
  if (count % 2 == 1) std::swap(now_, next_);

  forces_.assign(count, {});
  for (std::size_t k = 0; k < row_forces_.size(); ++k) {
    Vec2& sum = forces_[k / static_cast<std::size_t>(rows)];
    sum.x += row_forces_[k].x;
    sum.y += row_forces_[k].y;
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
