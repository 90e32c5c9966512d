// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/lbm.h"

#include <algorithm>
#include <utility>

#include "base/misuse.h"
#include "base/threads.h"

namespace fluidsplat::sim::d3 {

namespace {

LbmSettings checked(LbmSettings s) {
  if (s.size.nx < 1 || s.size.ny < 1 || s.size.nz < 1)
    misuse("lattice of {} x {} x {} cells: all must be at least 1", s.size.nx, s.size.ny, s.size.nz);
  if (!(s.viscosity > 0)) misuse("lattice viscosity {}: must be positive", s.viscosity);
  if (!(s.magic > 0)) misuse("magic parameter {}: must be positive", s.magic);
  if (s.threads <= 0) s.threads = available_threads();
  return s;
}

// Where cell `at` of a periodic axis is seen: in its place, and in the halo when it is at an end.
struct Images {
  std::array<Index, 3> at{};
  Index count = 1;

  Images(Index cell, Index cells, Edge edge) {
    at[0] = cell;
    if (edge != Edge::kPeriodic) return;
    if (cell == 0) at[count++] = cells;
    if (cell == cells - 1) at[count++] = -1;
  }
};

}  // namespace

Lbm::Lbm(const LbmSettings& settings, const Solid& solid)
    : settings_(checked(settings)),
      collision_(settings_.viscosity, settings_.magic),
      now_(settings_.size),
      next_(settings_.size),
      walls_(now_, settings_.edges, solid) {
  for (int i = 0; i < kDirections; ++i) pull_[i] = now_.index(-kCx[i], -kCy[i], -kCz[i]);
}

void Lbm::set_state(const std::function<Moments(Index, Index, Index)>& state) {
  const Size& s = size();
  for (Index z = 0; z < s.nz; ++z)
    for (Index y = 0; y < s.ny; ++y) {
      for (Index x = 0; x < s.nx; ++x) {
        const Moments m = fluid(x, y, z) ? state(x, y, z) : Moments{};
        for (int i = 0; i < kDirections; ++i) now_.plane(i)[now_.index(x, y, z)] = equilibrium(i, m);
      }
      fill_halo_from_row(now_, y, z);
    }
}

void Lbm::fill_halo_from_row(Populations& g, Index y, Index z) const {
  const Size& s = size();
  const Images ys(y, s.ny, settings_.edges.y), zs(z, s.nz, settings_.edges.z);
  const bool periodic_x = settings_.edges.x == Edge::kPeriodic;
  if (ys.count * zs.count == 1 && !periodic_x) return;
  for (int i = 0; i < kDirections; ++i) {
    float* const row = g.plane(i) + g.index(0, y, z);
    if (periodic_x) row[-1] = row[s.nx - 1], row[s.nx] = row[0];
    for (Index a = 0; a < ys.count; ++a)
      for (Index b = 0; b < zs.count; ++b)
        if (a + b > 0) std::copy(row - 1, row + s.nx + 1, g.plane(i) + g.index(-1, ys.at[a], zs.at[b]));
  }
}

void Lbm::update_row(Populations& from, Populations& to, Index y, Index z) const {
  walls_.reflect_row(from, y, z);
  const Index row = from.index(0, y, z);
  ConstRows from_rows;
  Rows to_rows;
  for (int i = 0; i < kDirections; ++i) {
    from_rows[i] = from.plane(i) + row + pull_[i];
    to_rows[i] = to.plane(i) + row;
  }
  stream_collide_row(from_rows, to_rows, size().nx, collision_);
  walls_.clear_row(to, y, z);
  fill_halo_from_row(to, y, z);
}

void Lbm::step(Index count) {
  const Index rows = size().ny * size().nz;
  Populations* const buffers[2] = {&now_, &next_};
#pragma omp parallel num_threads(settings_.threads)
  for (Index k = 0; k < count; ++k) {
    Populations &from = *buffers[k % 2], &to = *buffers[(k + 1) % 2];
    // Everything that a row needs from other rows is from the step before: one barrier per step, at the loop's end.
#pragma omp for schedule(static)
    for (Index row = 0; row < rows; ++row) update_row(from, to, row % size().ny, row / size().ny);
  }
  if (count % 2 == 1) std::swap(now_, next_);
}

Moments Lbm::at(Index x, Index y, Index z) const {
  const Index cell = now_.index(x, y, z);
  Moments m;
  for (int i = 0; i < kDirections; ++i) {
    const float g = now_.plane(i)[cell];
    m.density += g;
    m.u += float(kCx[i]) * g;
    m.v += float(kCy[i]) * g;
    m.w += float(kCz[i]) * g;
  }
  return m;
}

}  // namespace fluidsplat::sim::d3
