// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/populations.h"
#include "sim/shape.h"

namespace fluidsplat::sim {

// What lies beyond the edges of the lattice.
enum class Edge {
  kPeriodic,
  // A free stream.  The incoming acoustic wave is held at that of the undisturbed stream, the outgoing one leaves:
  // normal velocity - pressure / (density * sound speed) is imposed.  To sound the edge is open; to the slow flow,
  // whose pressures are small against density * speed * sound speed, it prescribes the normal velocity.
  kFarField,
};

// The flow far from a body in a uniform stream: the potential flow about a circle, a source, because what the wake
// carries less must go around, and a vortex, which a body with lift is from afar.  With these, the edges may be near
// without squeezing the flow.
struct FarStream {
  Vec2 velocity;
  Vec2 body;
  double radius = 0;
  double source = 0;       // area per step: drag / (density * speed)
  double circulation = 0;  // clockwise, area per step: lift / (density * speed)

  Vec2 at(double x, double y) const;
};

struct Edges {
  Edge x = Edge::kPeriodic, y = Edge::kPeriodic;
  FarStream stream;

  // Fills the halo cells that depend on row y of post-collision populations, so that streaming can pull from them: both
  // ends of the row and, for the first and the last row, the halo row with its corners.  Different rows fill different
  // cells.
  void fill_from_row(Populations& g, int y) const;
};

}  // namespace fluidsplat::sim
