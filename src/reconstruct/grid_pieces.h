// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/pieces.h"

namespace fluidsplat::reconstruct {

// Whether a grid of `points` along each axis is better gone through in pieces: because its user says how large those
// may be, or because nobody wants all of it in memory.
bool wants_pieces(const std::vector<Index>& points, Index piece_points);

// A regular grid over a box that is gone through piece by piece: blocks that share the points between them, as VTK's
// pieces do.  The points are those that target_from_grid has, to the bit.
class GridPieces : public Pieces {
 public:
  // At most `piece_points` in a block (0: a number that suits most machines).
  GridPieces(std::vector<Index> points, field::Box box, KnownRegion region, Index piece_points);
  Index size() const override { return blocks_[0] * blocks_[1] * blocks_[2]; }
  // Of the whole grid.
  Index points() const { return points_[0] * points_[1] * points_[2]; }
  std::optional<std::array<std::int64_t, 3>> dimensions() const override { return points_; }
  // Where a block has no data at all its mesh has one point nevertheless, which the shell leaves out.
  Target target(Index block) const override;

 private:
  std::array<std::int64_t, 3> points_ = {1, 1, 1}, blocks_ = {1, 1, 1};
  std::array<double, 3> origin_ = {0, 0, 0}, spacing_ = {1, 1, 1};
  Index dim_;
  KnownRegion region_;
};

}  // namespace fluidsplat::reconstruct
