// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

namespace fluidsplat::sim {

// The order p of error ~ size^-p, fitted through all points on logarithmic scales.
inline double convergence_order(const std::vector<double>& sizes, const std::vector<double>& errors) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]), y = std::log(errors[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = double(sizes.size());
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace fluidsplat::sim
