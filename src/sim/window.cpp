// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/window.h"

#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {

namespace {

// Lagrange weights at t in [0, 1) of the nodes -1, 0, 1, 2 (cubic) or 0, 1 (linear).
std::array<float, 4> weights(double t, int size) {
  if (size == 2) return {float(1 - t), float(t), 0, 0};
  return {float(-t * (t - 1) * (t - 2) / 6), float((t + 1) * (t - 1) * (t - 2) / 2), float(-(t + 1) * t * (t - 2) / 2),
          float((t + 1) * t * (t - 1) / 6)};
}

}  // namespace

WindowSampler::WindowSampler(const Lbm& lbm, const PixelWindow& window, Vec2 centre, double diameter) : nx_(lbm.nx()) {
  const double cells = diameter / window.pixels_per_diameter;  // per pixel
  for (int row = 0; row < window.rows; ++row) {
    for (int column = 0; column < window.columns; ++column) {
      const double dx = cells * (column - window.centre_column), dy = cells * (row - window.centre_row);
      if (std::hypot(dx, dy) <= 0.5 * diameter) {
        mask_.push_back(0);
        stencils_.push_back({0, 0, {}, {}});
        continue;
      }
      mask_.push_back(1);
      const double px = centre.x + dx, py = centre.y + dy;
      const int x = int(std::floor(px)), y = int(std::floor(py));
      if (x < 1 || x + 2 >= lbm.nx() || y < 1 || y + 2 >= lbm.ny()) {
        fail("wake window: pixel (row {}, column {}) is outside the lattice; enlarge the domain", row, column);
      }
      int size = 4;
      for (int j = -1; j <= 2; ++j) {
        for (int i = -1; i <= 2; ++i) {
          if (!lbm.fluid(x + i, y + j)) size = 2;
        }
      }
      const int below = size == 4 ? 1 : 0;
      stencils_.push_back(
          {static_cast<long>(y - below) * lbm.nx() + (x - below), size, weights(px - x, size), weights(py - y, size)});
    }
  }
}

void WindowSampler::sample(const std::vector<float>& field, double scale, std::vector<float>& pixels) const {
  pixels.resize(stencils_.size());
  for (std::size_t k = 0; k < stencils_.size(); ++k) {
    const Stencil& s = stencils_[k];
    double sum = 0;
    for (int j = 0; j < s.size; ++j) {
      const float* row = field.data() + s.first + static_cast<long>(j) * nx_;
      double row_sum = 0;
      for (int i = 0; i < s.size; ++i) row_sum += s.along_x[i] * row[i];
      sum += s.along_y[j] * row_sum;
    }
    pixels[k] = float(scale * sum);
  }
}

}  // namespace fluidsplat::sim
