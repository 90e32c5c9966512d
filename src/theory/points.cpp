// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/points.h"

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

// One point in each cell of a per_axis^d grid, the last axis fastest; offset() in [0, 1) places it in its cell.
template <typename Offset>
Points on_cells(const Box& box, int per_axis, Offset offset) {
  if (per_axis < 1) fail("a grid needs at least 1 cell per axis, got {}", per_axis);
  const int d = box.dimension();
  const Index n = std::llround(std::pow(per_axis, d));
  Points points(n, d);
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (int axis = d - 1; axis >= 0; --axis) {
      const double cell = double(rest % per_axis) + offset();
      points(i, axis) = box.low[axis] + (box.high[axis] - box.low[axis]) * cell / per_axis;
      rest /= per_axis;
    }
  }
  return points;
}

}  // namespace

Box unit_box(int dimension) {
  return {Vector::Zero(dimension), Vector::Ones(dimension)};
}

Box bounding_box(const Points& points) {
  if (points.rows() == 0) fail("no points: a bounding box needs at least one");
  return {points.colwise().minCoeff().transpose(), points.colwise().maxCoeff().transpose()};
}

Points midpoint_grid(const Box& box, int per_axis) {
  return on_cells(box, per_axis, [] { return 0.5; });
}

Points stratified_points(const Box& box, int per_axis, Random& random) {
  return on_cells(box, per_axis, [&] { return random.uniform(); });
}

Points uniform_points(const Box& box, int count, Random& random) {
  Points points(count, box.dimension());
  for (Index i = 0; i < count; ++i)
    for (int axis = 0; axis < box.dimension(); ++axis) points(i, axis) = random.uniform(box.low[axis], box.high[axis]);
  return points;
}

double relative_l2(const Eigen::Ref<const Vector>& estimate, const Eigen::Ref<const Vector>& reference) {
  return (estimate - reference).norm() / reference.norm();
}

}  // namespace fluidsplat::theory
