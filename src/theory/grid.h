// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// A regular grid in pixel units (spacing 1 along each axis), row-major with the last axis fastest.  A field
// on it is a Vector with one value per pixel; pixels outside the domain are masked.
class Grid {
 public:
  // `valid`: one flag per pixel, or empty when all are valid.
  explicit Grid(std::vector<int> shape, std::vector<char> valid = {});

  const std::vector<int>& shape() const { return shape_; }
  int dimension() const { return static_cast<int>(shape_.size()); }
  Eigen::Index size() const { return size_; }
  bool masked() const { return static_cast<Eigen::Index>(pixels_.size()) != size_; }
  bool valid(Eigen::Index pixel) const {
    return valid_.empty() || valid_[static_cast<std::size_t>(pixel)] != 0;
  }
  Eigen::Index stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }
  int coordinate(Eigen::Index pixel, int axis) const {
    return static_cast<int>(pixel / stride(axis) % shape_[static_cast<std::size_t>(axis)]);
  }
  // The pixels of the domain, in order, and their coordinates [valid, d].
  const std::vector<Eigen::Index>& valid_pixels() const { return pixels_; }
  Points valid_points() const;
  // The values at the pixels of the domain.
  Vector gather(const Eigen::Ref<const Vector>& field) const;

 private:
  std::vector<int> shape_;
  std::vector<Eigen::Index> strides_;
  Eigen::Index size_ = 1;
  std::vector<char> valid_;
  std::vector<Eigen::Index> pixels_;
};

}  // namespace fluidsplat::theory
