// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/flow_fields.h"
#include "sim/lattice_stencil.h"

namespace fluidsplat::sim {

// An image of the wake: rows run along y, columns along x, pixel centres at integer coordinates.  The defaults are the
// window of the cylinder benchmark.
struct PixelWindow {
  int rows = 112, columns = 192;
  double pixels_per_diameter = 12;
  double centre_row = 55.5, centre_column = 13.5;  // of the cylinder

  int size() const { return rows * columns; }
};

// Interpolates lattice fields at pixel centres: cubic where all sixteen cells are fluid, linear next to the body.
// Pixels inside the body are 0.
class WindowSampler {
 public:
  // The cylinder is at `centre` of the lattice, `diameter` cells wide; the window must lie inside the lattice.
  WindowSampler(const Lbm& lbm, const PixelWindow& window, Vec2 centre, double diameter);

  // Writes `scale * field` for every pixel.
  void sample(const std::vector<float>& field, double scale, std::vector<float>& pixels) const;
  // 1 where a pixel's centre is in the fluid.
  const std::vector<std::uint8_t>& mask() const { return mask_; }

 private:
  int nx_;
  std::vector<LatticeStencil> stencils_;
  std::vector<std::uint8_t> mask_;
};

}  // namespace fluidsplat::sim
