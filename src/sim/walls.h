// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/populations.h"
#include "sim/shape.h"

namespace fluidsplat::sim {

// A lattice link that leaves a fluid cell and meets the wall at `fraction` of its length.
struct WallLink {
  int x, y;         // the fluid cell
  int direction;    // towards the wall
  double fraction;  // in (0, 1]
  Vec2 wall_velocity;
  bool room_behind;  // the cell on the other side of the fluid cell is fluid too
};

// Curved walls by interpolated bounce-back (Bouzidi, linear): second order wherever the wall cuts the link.
//
// Streaming pulls population i of cell x from the cell at x - c_i.  Where that cell is solid, reflect_row() leaves the
// reflected population in its slot beforehand, so that the bulk kernel has no branches.  Every slot belongs to one link
// and is pulled by the row of that link's fluid cell only, so rows can go to different threads. clear_row() empties the
// solid cells of a row after the kernel passed over them.
class Walls {
 public:
  Walls(int nx, int ny, const Shape& shape);

  // For the fluid cells of row y.  Wall velocities are multiplied by motion.  Returns the momentum that the links gave
  // to the wall.
  Vec2 reflect_row(Populations& post_collision, int y, double motion) const;
  void clear_row(Populations& g, int y) const;

  bool fluid(int x, int y) const { return fluid_[(y + 1) * (nx_ + 2) + x + 1] != 0; }
  const std::vector<WallLink>& links() const { return links_; }

 private:
  struct Span {
    int begin, end;
  };
  int nx_, ny_;
  std::vector<std::uint8_t> fluid_;       // with the halo
  std::vector<WallLink> links_;           // row by row
  std::vector<std::size_t> first_link_;   // of each row, and the end
  std::vector<std::vector<Span>> solid_;  // by row
};

}  // namespace fluidsplat::sim
