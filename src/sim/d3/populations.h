// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "sim/d3/lattice.h"

namespace fluidsplat::sim::d3 {

// A box of cells.
struct Size {
  Index nx = 0, ny = 0, nz = 0;
  Index cells() const { return nx * ny * nz; }
};

// Nineteen planes of nx * ny * nz cells with a halo of one cell on every side, in one aligned block.  Rows run along x:
//
//   row (y, z):  | cell 0 (64-byte aligned) ... cell nx-1 | halo(nx) ... halo(-1) of the next row | next row
//
// index(x, y, z) counts from cell (0, 0, 0) and is valid from -1 to one past the last cell of each axis.
class Populations {
 public:
  explicit Populations(const Size& size);

  const Size& size() const { return size_; }
  Index index(Index x, Index y, Index z) const { return z * slab_ + y * row_ + x; }
  float* plane(int i) { return block_.get() + origin_ + i * plane_; }
  const float* plane(int i) const { return block_.get() + origin_ + i * plane_; }
  // Population i of a cell as a place in the block, for lists of places that are used at every step.
  Index place(int i, Index index) const { return origin_ + i * plane_ + index; }
  float* block() { return block_.get(); }
  const float* block() const { return block_.get(); }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  Size size_;
  Index row_, slab_, plane_, origin_;
  std::unique_ptr<float[], Free> block_;
};

}  // namespace fluidsplat::sim::d3
