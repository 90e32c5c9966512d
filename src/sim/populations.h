// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "sim/lattice.h"

namespace fluidsplat::sim {

// Nine planes of nx * ny cells, each with a halo of one cell, in one aligned block:
//
//   row y:  | padding .. halo(-1) | cell 0 (64-byte aligned) ... cell nx-1 | halo(nx) .. padding |
//
// plane(i) points to cell (0, 0); index(x, y) is valid for x in [-1, nx], y in [-1, ny].
class Populations {
 public:
  Populations(int nx, int ny);

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  long stride() const { return stride_; }
  long index(int x, int y) const { return y * stride_ + x; }
  const std::array<float*, kDirections>& planes() { return planes_; }
  std::array<const float*, kDirections> planes() const;
  float* plane(int i) { return planes_[i]; }
  const float* plane(int i) const { return planes_[i]; }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  int nx_, ny_;
  long stride_;
  std::unique_ptr<float[], Free> block_;
  std::array<float*, kDirections> planes_;
};

}  // namespace fluidsplat::sim
