// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/grid.h"

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"

namespace fluidsplat::theory {

Grid::Grid(std::vector<int> shape, std::vector<char> valid)
    : shape_(std::move(shape)), strides_(shape_.size()), valid_(std::move(valid)) {
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    if (shape_[axis] < 1) fail("a grid needs at least 1 pixel along axis {}, got {}", axis, shape_[axis]);
    strides_[axis] = size_;
    size_ *= shape_[axis];
  }
  if (!valid_.empty() && std::ssize(valid_) != size_)
    misuse("the mask has {} flags for a grid of {} pixels; give one per pixel", valid_.size(), size_);
  for (Index pixel = 0; pixel < size_; ++pixel)
    if (this->valid(pixel)) pixels_.push_back(pixel);
  if (pixels_.empty()) fail("every pixel of the grid is masked");
}

Points Grid::valid_points() const {
  Points points(std::ssize(pixels_), dimension());
  for (std::size_t i = 0; i < pixels_.size(); ++i)
    for (int axis = 0; axis < dimension(); ++axis) points(i, axis) = coordinate(pixels_[i], axis);
  return points;
}

Vector Grid::gather(const Eigen::Ref<const Vector>& field) const {
  Vector values(std::ssize(pixels_));
  for (std::size_t i = 0; i < pixels_.size(); ++i) values[i] = field[pixels_[i]];
  return values;
}

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
  if (field.size() != grid.size()) misuse("the field has {} values for a grid of {} pixels", field.size(), grid.size());
  if (!(sigma >= 0)) misuse("a smoothing width must be zero or positive, got {}", sigma);
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

namespace {

double difference(const Grid& grid, const Eigen::Ref<const Vector>& field, Index pixel, int axis) {
  const Index stride = grid.stride(axis);
  const int at = grid.coordinate(pixel, axis), last = grid.shape()[axis] - 1;
  const bool before = at > 0 && grid.valid(pixel - stride), after = at < last && grid.valid(pixel + stride);
  if (!before && !after) return 0;
  const double low = field[before ? pixel - stride : pixel], high = field[after ? pixel + stride : pixel];
  return (high - low) / (before && after ? 2 : 1);
}

}  // namespace

double roughness(const Grid& grid, const Eigen::Ref<const Vector>& field) {
  double gradient = 0, square = 0;
  for (Index pixel : grid.valid_pixels()) {
    for (int axis = 0; axis < grid.dimension(); ++axis) {
      const double slope = difference(grid, field, pixel, axis);
      gradient += slope * slope;
    }
    square += field[pixel] * field[pixel];
  }
  if (!(square > 0)) fail("the field is zero everywhere: its roughness is not defined");
  return std::sqrt(gradient / square);
}

}  // namespace fluidsplat::theory
