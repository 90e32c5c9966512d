// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace fluidsplat::theory {

// The scales of the bias-variance trade-off with constants set to one.  They say how a count grows, not which count to
// use: constants, adaptive centres and a learned prior are all outside them.

// K* ~ (N / sigma^2 * norm^2)^{d/(2s+d)}: where bias^2 ~ K^{-2s/d} norm^2 meets variance ~ sigma^2 K / N.
double capacity(double samples, double noise, double smoothness, int dimension, double norm = 1);

// The risk at that count: (sigma^2 / N)^{2s/(2s+d)} norm^{2d/(2s+d)}.
double optimal_risk(double samples, double noise, double smoothness, int dimension, double norm = 1);

// The minimiser of  bias * K^-rate + slope * K  (rate = 2s/d, slope = C_var sigma^2 / N), constants included.
double balance(double bias, double rate, double slope);

// Exponents of K in the L2 error.
inline double unnormalised_rate(double smoothness, int dimension) {
  return -smoothness / dimension;
}
inline double normalised_rate(int dimension) {
  return -1.0 / dimension;
}

// Steady Navier-Stokes flow in a domain with C^m boundary: velocity has smoothness m, pressure m - 1.
struct FlowCapacity {
  double velocity = 0;
  std::optional<double> pressure;  // from m >= 3
};
FlowCapacity flow_capacity(double samples, double noise, int boundary_smoothness, int dimension);

// The smoothness that a corner of interior angle `angle` (radians, as the fluid sees it) cannot exceed: 1 + pi / angle.
// A sharp trailing edge (2 pi) gives 1.5, a flat wall (pi) 2.
double corner_smoothness(double angle);

// Gaussians of a boundary layer's thickness Re^{-1/2} that cover it: Re^{(d-1)/2}.
double boundary_layer_primitives(double reynolds, int dimension);

}  // namespace fluidsplat::theory
