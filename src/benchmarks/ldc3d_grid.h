// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "field/case.h"

namespace fluidsplat::benchmarks {

// Cubes of cells as FlowBench stores them: axes (z, y, x), x fastest, cell averages, over the domain [0, 2]^3.

// Makes cells of factor^3 cells.  Values of the fluid are averaged over the cells that are fluid, so that what a body
// holds (zeros) does not enter; a new cell is fluid when at least half of its cells are.
class CellBlocks {
 public:
  CellBlocks(std::vector<std::uint8_t> fluid, Index n, Index factor);

  Index size() const { return n_ / factor_; }  // cells along a side of the result
  const std::vector<std::uint8_t>& fluid() const { return coarse_fluid_; }
  std::vector<double> mean_of_all(std::span<const double> values) const;
  // Zero in cells that are not fluid.
  std::vector<double> mean_of_fluid(std::span<const double> values) const;

 private:
  std::vector<double> sum(std::span<const double> values, bool of_fluid) const;

  std::vector<std::uint8_t> fluid_, coarse_fluid_;
  std::vector<double> fluid_cells_;  // of each block
  Index n_, factor_;
};

// The fluid cells of a grid as a mesh, with the signed distance as feature.  Cells next to the body are the surface;
// its normals are the distance's gradient.
field::Mesh ldc3d_mesh(const std::vector<std::uint8_t>& fluid, const std::vector<double>& distance, Index n);

}  // namespace fluidsplat::benchmarks
