// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sim/lattice.h"

namespace fluidsplat::sim {

// Two-relaxation-time collision: even moments relax at the rate that sets the viscosity, odd ones at the rate that the
// magic parameter (1/even - 1/2) (1/odd - 1/2) sets.  3/16 puts a half-way wall of a channel exactly half-way.
struct Collision {
  float even_rate, odd_rate;
  float force_x, force_y;

  Collision(double viscosity, double magic, double force_x, double force_y);
};

using Rows = std::array<float*, kDirections>;
using ConstRows = std::array<const float*, kDirections>;

// Streams and collides n cells of a row: cell x takes population i from from[i][x], which the caller has shifted
// against direction i, and leaves the result in to[i][x].  The two sets of rows do not overlap.
void stream_collide_row(const ConstRows& from, const Rows& to, int n, const Collision& collision);

}  // namespace fluidsplat::sim
