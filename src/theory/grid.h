// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "theory/points.h"

namespace fluidsplat::theory {

// A regular grid in pixel units (spacing 1 along each axis), row-major with the last axis fastest.  A field on it is a
// Vector with one value per pixel; pixels outside the domain are masked.
class Grid {
 public:
  // `valid`: one flag per pixel, or empty when all are valid.
  explicit Grid(std::vector<int> shape, std::vector<char> valid = {});

  const std::vector<int>& shape() const { return shape_; }
  int dimension() const { return int(shape_.size()); }
  Index size() const { return size_; }
  bool masked() const { return std::ssize(pixels_) != size_; }
  bool valid(Index pixel) const { return valid_.empty() || valid_[pixel] != 0; }
  Index stride(int axis) const { return strides_[axis]; }
  int coordinate(Index pixel, int axis) const { return int(pixel / stride(axis) % shape_[axis]); }
  // The pixels of the domain, in order, and their coordinates [valid, d].
  const std::vector<Index>& valid_pixels() const { return pixels_; }
  Points valid_points() const;
  // The values at the pixels of the domain.
  Vector gather(const Eigen::Ref<const Vector>& field) const;

 private:
  std::vector<int> shape_;
  std::vector<Index> strides_;
  Index size_ = 1;
  std::vector<char> valid_;
  std::vector<Index> pixels_;
};

// What smoothing does with the pixels outside the domain.
enum class MaskedPixels {
  kZero,      // they count as zero, as when a zero-filled frame is smoothed: values fade near walls
  kLeaveOut,  // weights are renormalised over the domain: a constant stays a constant up to the wall
};

// scipy.ndimage.gaussian_filter(field, sigma) with its defaults: mode "reflect" (d c b a | a b c d | d c b a) and
// truncate 4.  sigma is in pixels; 0 returns the field.  Masked pixels of the result are zero.
Vector gaussian_filter(const Grid& grid, const Eigen::Ref<const Vector>& field, double sigma,
                       MaskedPixels masked = MaskedPixels::kZero);

// rms of the gradient over rms of the field, over valid pixels, per pixel.  Differences are central where both
// neighbours along an axis are valid, one-sided where one is, and zero where none is.
double roughness(const Grid& grid, const Eigen::Ref<const Vector>& field);

}  // namespace fluidsplat::theory
