// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sim/d3/lattice.h"

namespace fluidsplat::sim::d3 {

// Two-relaxation-time collision: even moments relax at the rate that sets the viscosity, odd ones at the rate that the
// magic parameter (1/even - 1/2) (1/odd - 1/2) sets.  3/16 keeps walls half-way between cells at any viscosity.
struct Collision {
  float even_rate, odd_rate;

  Collision(double viscosity, double magic);
};

using Rows = std::array<float*, kDirections>;
using ConstRows = std::array<const float*, kDirections>;

// Streams and collides n cells of a row: cell x takes population i from from[i][x], which the caller has shifted
// against direction i, and leaves the result in to[i][x].  The two sets of rows do not overlap.
void stream_collide_row(const ConstRows& from, const Rows& to, Index n, const Collision& collision);

}  // namespace fluidsplat::sim::d3
