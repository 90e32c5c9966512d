// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/capacity.h"

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

void check(double samples, double noise, double smoothness, int dimension, double norm) {
  if (!(samples > 0)) fail("the number of samples must be positive, got {}", samples);
  if (!(noise > 0))
    fail("the noise must be positive, got {}; without noise no count is too large for the theory", noise);
  if (!(smoothness > 0)) fail("the smoothness must be positive, got {}", smoothness);
  if (dimension < 1) fail("the dimension must be 1 or more, got {}", dimension);
  if (!(norm > 0)) fail("the norm of the field must be positive, got {}", norm);
}

}  // namespace

double capacity(double samples, double noise, double smoothness, int dimension, double norm) {
  check(samples, noise, smoothness, dimension, norm);
  return std::pow(samples / (noise * noise) * norm * norm, dimension / (2 * smoothness + dimension));
}

double optimal_risk(double samples, double noise, double smoothness, int dimension, double norm) {
  check(samples, noise, smoothness, dimension, norm);
  const double total = 2 * smoothness + dimension;
  return std::pow(noise * noise / samples, 2 * smoothness / total) * std::pow(norm, 2 * dimension / total);
}

double balance(double bias, double rate, double slope) {
  if (!(bias > 0) || !(rate > 0) || !(slope > 0))
    fail("a trade-off needs positive bias, rate and slope; got {}, {} and {}", bias, rate, slope);
  return std::pow(rate * bias / slope, 1 / (1 + rate));
}

FlowCapacity flow_capacity(double samples, double noise, int boundary_smoothness, int dimension) {
  const int m = boundary_smoothness;
  if (m < 2) fail("the boundary must be C^2 or smoother, got C^{}", m);
  FlowCapacity result;
  result.velocity = capacity(samples, noise, m, dimension);
  if (m >= 3) result.pressure = capacity(samples, noise, m - 1, dimension);
  return result;
}

double corner_smoothness(double angle) {
  if (!(angle > 0) || angle > 2 * std::numbers::pi + 1e-12) fail("an interior angle lies in (0, 2 pi], got {}", angle);
  return 1 + std::numbers::pi / angle;
}

double boundary_layer_primitives(double reynolds, int dimension) {
  if (!(reynolds >= 1)) fail("a boundary layer needs a Reynolds number of 1 or more, got {}", reynolds);
  return std::pow(reynolds, 0.5 * (dimension - 1));
}

}  // namespace fluidsplat::theory
