// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "field/case.h"

namespace fluidsplat::benchmarks {

// Cubes of cells as FlowBench stores them: axes (z, y, x), x fastest, cell averages, over the domain [0, 2]^3.

// Averages n^3 cells to m^3 larger ones; n need not be a multiple of m, cells then count by their overlap.  Values of
// the fluid are averaged over the fluid, so that what a body holds (zeros) does not enter; a new cell is fluid when at
// least half of it is.
class CellAverage {
 public:
  CellAverage(const std::vector<std::uint8_t>& fluid, Index n, Index m);

  Index size() const { return m_; }  // cells along a side of the result
  const std::vector<std::uint8_t>& fluid() const { return coarse_fluid_; }
  std::vector<double> of_all(const std::vector<double>& values) const;
  // Zero where there is no fluid at all.
  std::vector<double> of_fluid(std::vector<double> values) const;
  bool any_fluid(Index cell) const { return fluid_share_[cell] > 0; }

 private:
  Index n_, m_;
  std::vector<std::uint8_t> fluid_, coarse_fluid_;
  std::vector<double> fluid_share_;  // of each new cell
};

// The fluid cells of a grid as a mesh, with the signed distance as feature.  Cells next to the body are the surface;
// its normals are the distance's gradient.
field::Mesh ldc3d_mesh(const std::vector<std::uint8_t>& fluid, const std::vector<double>& distance, Index n);

}  // namespace fluidsplat::benchmarks
