// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/grid.h"

#include "base/error.h"

namespace fluidsplat::theory {

Grid::Grid(std::vector<int> shape, std::vector<char> valid)
    : shape_(std::move(shape)), strides_(shape_.size()), valid_(std::move(valid)) {
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    if (shape_[axis] < 1) fail("a grid needs at least 1 pixel along axis {}, got {}", axis, shape_[axis]);
    strides_[axis] = size_;
    size_ *= shape_[axis];
  }
  if (!valid_.empty() && std::ssize(valid_) != size_)
    fail("the mask has {} flags for a grid of {} pixels; give one per pixel", valid_.size(), size_);
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

}  // namespace fluidsplat::theory
