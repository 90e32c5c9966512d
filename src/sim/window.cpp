// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/window.h"

#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {

WindowSampler::WindowSampler(const Lbm& lbm, const PixelWindow& window, Vec2 centre, double diameter) : nx_(lbm.nx()) {
  const double cells = diameter / window.pixels_per_diameter;  // per pixel
  for (int row = 0; row < window.rows; ++row) {
    for (int column = 0; column < window.columns; ++column) {
      const double dx = cells * (column - window.centre_column), dy = cells * (row - window.centre_row);
      if (std::hypot(dx, dy) <= 0.5 * diameter) {
        mask_.push_back(0);
        stencils_.push_back({});
        continue;
      }
      mask_.push_back(1);
      const double px = centre.x + dx, py = centre.y + dy;
      const auto stencil = stencil_at(lbm, {px, py});
      if (!stencil)
        fail("wake window: pixel (row {}, column {}) is outside the lattice; enlarge the domain", row, column);
      stencils_.push_back(*stencil);
    }
  }
}

void WindowSampler::sample(const std::vector<float>& field, double scale, std::vector<float>& pixels) const {
  pixels.resize(stencils_.size());
  for (std::size_t k = 0; k < stencils_.size(); ++k) pixels[k] = float(scale * stencils_[k].apply(field, nx_));
}

}  // namespace fluidsplat::sim
