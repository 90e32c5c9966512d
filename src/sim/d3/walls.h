// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/d3/populations.h"
#include "sim/d3/solid.h"

namespace fluidsplat::sim::d3 {

// What bounds the lattice along each axis: it repeats, or walls stand half a cell outside the outermost cells.
enum class Edge { kPeriodic, kWall };
struct Edges {
  Edge x = Edge::kPeriodic, y = Edge::kPeriodic, z = Edge::kPeriodic;
  Vec3 lid_velocity;  // of the wall at the upper end of y; all other walls rest
};

// The walls at the edges by half-way bounce-back and a body's surface by interpolated bounce-back (Bouzidi, linear).
//
// Streaming pulls population i of a cell from the cell at -c_i.  Where that cell is solid or outside, reflect_row()
// leaves the reflected population in its slot beforehand, so that the bulk kernel has no branches.  Every slot belongs
// to one link and is pulled by the row of that link's fluid cell only, so rows can go to different threads.
// clear_row() empties the solid cells of a row after the kernel passed over them.
class Walls {
 public:
  Walls(const Populations& layout, const Edges& edges, const Solid& solid);

  // For the fluid cells of row (y, z).
  void reflect_row(Populations& post_collision, Index y, Index z) const;
  void clear_row(Populations& g, Index y, Index z) const;
  // The momentum that the body takes from the fluid in the step that follows this state.
  Vec3 force_on_body(const Populations& post_collision) const;

  bool fluid(Index x, Index y, Index z) const { return fluid_[(z * size_.ny + y) * size_.nx + x] != 0; }
  bool has_body() const { return !body_links_.empty(); }

 private:
  // Of the block of populations: what goes out, where it comes back, and what the wall's motion takes from it.
  struct EdgeLink {
    Index out, slot;
    float wall_term;
  };
  // A link that leaves a fluid cell and meets the body at `fraction` of its length.
  struct BodyLink {
    Index out, slot, behind, back;  // behind: the same population one cell back, or -1 where that is no fluid
    double fraction;
    float wall_term;
    int direction;
  };
  struct Span {
    Index begin, end;
  };
  struct Row {  // the ends of its parts of the lists; they begin where the row before ends
    Index edge_links = 0, body_links = 0, spans = 0;
  };
  Index number(Index y, Index z) const { return z * size_.ny + y; }
  void add_links(const Populations& layout, const Edges& edges, const Solid& solid, Index x, Index y, Index z);
  static float reflected(const float* block, const BodyLink& link);

  Size size_;
  std::vector<std::uint8_t> fluid_;
  std::vector<EdgeLink> edge_links_;
  std::vector<BodyLink> body_links_;
  std::vector<Span> solid_;
  std::vector<Row> rows_;  // rows_[number] to rows_[number + 1]
};

}  // namespace fluidsplat::sim::d3
