// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/d3/collision.h"
#include "sim/d3/populations.h"
#include "sim/d3/walls.h"

namespace fluidsplat::sim::d3 {

struct LbmSettings {
  Size size;
  double viscosity = 0.01;
  double magic = 3.0 / 16;
  Edges edges;
  int threads = 0;  // 0: every processor of this process
};

// A three-dimensional flow on a uniform lattice, in lattice units.  The result has the same bits for any number of
// threads.
class Lbm {
 public:
  explicit Lbm(const LbmSettings& settings, const Solid& solid = {});

  // Starts from the equilibrium of the given density deviation and velocity at each cell.
  void set_state(const std::function<Moments(Index x, Index y, Index z)>& state);
  // With several steps per call the threads meet once per step, else twice.
  void step(Index count = 1);

  const LbmSettings& settings() const { return settings_; }
  const Size& size() const { return settings_.size; }
  bool fluid(Index x, Index y, Index z) const { return walls_.fluid(x, y, z); }
  // Density deviation and velocity of a fluid cell.
  Moments at(Index x, Index y, Index z) const;
  // What the fluid does to the body.
  Vec3 force_on_body() const { return walls_.force_on_body(now_); }

 private:
  void update_row(Populations& from, Populations& to, Index y, Index z) const;
  // Copies a row into the halo wherever a periodic axis shows it again.
  void fill_halo_from_row(Populations& g, Index y, Index z) const;

  LbmSettings settings_;
  Collision collision_;
  Populations now_, next_;  // after collision, before streaming
  Walls walls_;
  std::array<Index, kDirections> pull_;  // from a cell to where its population i comes from
};

}  // namespace fluidsplat::sim::d3
