// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/gaussian_filter.h"

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

constexpr double kTruncate = 4.0;  // standard deviations

// Weights for offsets 0 .. radius; the kernel is even.
std::vector<double> half_kernel(double sigma) {
  const int radius = int(kTruncate * sigma + 0.5);
  std::vector<double> kernel;
  double sum = 0;
  for (int i = 0; i <= radius; ++i) {
    kernel.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += (i == 0 ? 1 : 2) * kernel.back();
  }
  for (double& weight : kernel) weight /= sum;
  return kernel;
}

// The pixel that position `i` of an axis of n pixels mirrors to; any distance outside is allowed.
int reflect(int i, int n) {
  const int period = 2 * n, folded = ((i % period) + period) % period;
  return folded < n ? folded : period - 1 - folded;
}

void filter_axis(const Grid& grid, int axis, const std::vector<double>& kernel, Vector& field) {
  const int n = grid.shape()[axis], radius = int(kernel.size()) - 1;
  const Index stride = grid.stride(axis);
  std::vector<double> line(n + 2 * radius);
  for (Index start = 0; start < grid.size(); ++start) {
    if (grid.coordinate(start, axis) != 0) continue;
    for (int i = -radius; i < n + radius; ++i) line[i + radius] = field[start + reflect(i, n) * stride];
    for (int i = 0; i < n; ++i) {
      const double* centre = line.data() + i + radius;
      double sum = kernel[0] * centre[0];
      for (int j = 1; j <= radius; ++j) sum += kernel[j] * (centre[-j] + centre[j]);
      field[start + i * stride] = sum;
    }
  }
}

}  // namespace

Vector gaussian_filter(const Grid& grid, const Eigen::Ref<const Vector>& field, double sigma, MaskedPixels masked) {
  if (field.size() != grid.size()) fail("the field has {} values for a grid of {} pixels", field.size(), grid.size());
  if (!(sigma >= 0)) fail("a smoothing width must be zero or positive, got {}", sigma);
  Vector inside(grid.size());
  for (Index pixel = 0; pixel < grid.size(); ++pixel) inside[pixel] = grid.valid(pixel) ? 1 : 0;
  // Not a product: masked pixels are often NaN.
  Vector result = (inside.array() > 0).select(field, 0.0);
  if (sigma == 0) return result;

  const std::vector<double> kernel = half_kernel(sigma);
  const bool renormalise = masked == MaskedPixels::kLeaveOut;
  Vector weight = renormalise ? inside : Vector::Ones(grid.size());
  for (int axis = 0; axis < grid.dimension(); ++axis) {
    filter_axis(grid, axis, kernel, result);
    if (renormalise) filter_axis(grid, axis, kernel, weight);
  }
  // A valid pixel always weighs on itself, so the quotient is safe where it is used.
  return (inside.array() > 0).select(result.cwiseQuotient(weight), 0.0);
}

}  // namespace fluidsplat::theory
