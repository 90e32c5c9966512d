// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/lattice_stencil.h"

#include <cmath>

namespace fluidsplat::sim {

namespace {

// Lagrange weights at t in [0, 1) of the nodes -1, 0, 1, 2 (cubic) or 0, 1 (linear).
std::array<float, 4> weights(double t, int size) {
  if (size == 2) return {float(1 - t), float(t), 0, 0};
  return {float(-t * (t - 1) * (t - 2) / 6), float((t + 1) * (t - 1) * (t - 2) / 2), float(-(t + 1) * t * (t - 2) / 2),
          float((t + 1) * t * (t - 1) / 6)};
}

}  // namespace

double LatticeStencil::apply(const std::vector<float>& field, int nx) const {
  double sum = 0;
  for (int j = 0; j < size; ++j) {
    const float* row = field.data() + first + static_cast<long>(j) * nx;
    double row_sum = 0;
    for (int i = 0; i < size; ++i) row_sum += along_x[i] * row[i];
    sum += along_y[j] * row_sum;
  }
  return sum;
}

std::optional<LatticeStencil> stencil_at(const Lbm& lbm, Vec2 place) {
  const int x = int(std::floor(place.x)), y = int(std::floor(place.y));
  if (x < 1 || x + 2 >= lbm.nx() || y < 1 || y + 2 >= lbm.ny()) return {};
  int size = 4;
  for (int j = -1; j <= 2; ++j) {
    for (int i = -1; i <= 2; ++i) {
      if (!lbm.fluid(x + i, y + j)) size = 2;
    }
  }
  const int below = size == 4 ? 1 : 0;
  return LatticeStencil{static_cast<long>(y - below) * lbm.nx() + (x - below), size, weights(place.x - x, size),
                        weights(place.y - y, size)};
}

}  // namespace fluidsplat::sim
