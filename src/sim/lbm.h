// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/collision.h"
#include "sim/edges.h"
#include "sim/populations.h"
#include "sim/shape.h"
#include "sim/sponge.h"
#include "sim/walls.h"

namespace fluidsplat::sim {

struct LbmSettings {
  int nx = 0, ny = 0;
  double viscosity = 0.01;
  double magic = 3.0 / 16;
  Vec2 force;            // a constant body force, for flow in channels
  Edges edges;           // and the velocity far away
  int sponge_width = 0;  // cells before the right-hand edge
  double sponge_strength = 0;
  int threads = 0;  // 0: every processor of this process
};

// A two-dimensional flow on a uniform lattice, in lattice units.  The result has the same bits for any number of
// threads.
class Lbm {
 public:
  explicit Lbm(const LbmSettings& settings, const Shape& shape = {});

  // Starts from the equilibrium of the given density deviation and velocity at each cell.
  void set_state(const std::function<Moments(int x, int y)>& state);
  // With several steps per call the threads meet once per step, else twice.
  void step(int count = 1);

  const LbmSettings& settings() const { return settings_; }
  int nx() const { return settings_.nx; }
  int ny() const { return settings_.ny; }
  bool fluid(int x, int y) const { return !walls_ || walls_->fluid(x, y); }
  // Density deviation and velocity of a fluid cell.
  Moments at(int x, int y) const;
  // What the fluid did to the walls in each step of the last call of step(), and in the last one of them.
  const std::vector<Vec2>& forces_on_walls() const { return forces_; }
  Vec2 force_on_walls() const { return forces_.empty() ? Vec2{} : forces_.back(); }
  // Multiplies the shape's wall velocities from now on; 0 stops the walls.
  void set_wall_motion(double factor) { wall_motion_ = factor; }
  double wall_motion() const { return wall_motion_; }
  // Changes what the edges hold the flow to from now on; the sponge keeps the velocity that it was made with.
  void set_stream(const FarStream& stream) { settings_.edges.stream = stream; }
  const Walls* walls() const { return walls_ ? &*walls_ : nullptr; }

 private:
  // Streams and collides row y of `from` into `to`; returns the momentum that its cells gave to the walls.
  Vec2 update_row(Populations& from, Populations& to, int y) const;

  LbmSettings settings_;
  Collision collision_;
  std::optional<Walls> walls_;
  std::optional<Sponge> sponge_;
  Populations now_, next_;  // after collision, before streaming
  double wall_motion_ = 1;
  std::vector<Vec2> forces_;
  std::vector<Vec2> row_forces_;  // of each step and row: threads write, one adds up in order
};

}  // namespace fluidsplat::sim
