// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/points.h"

#include <algorithm>
#include <nanoflann.hpp>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"

namespace fluidsplat::theory {
namespace {

// One point in each cell of a per_axis^d grid, the last axis fastest; offset() in [0, 1) places it in its cell.
template <typename Offset>
Points on_cells(const Box& box, int per_axis, Offset offset) {
  if (per_axis < 1) misuse("a grid needs at least 1 cell per axis, got {}", per_axis);
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
  if (points.rows() == 0) misuse("no points: a bounding box needs at least one");
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

struct Neighbours::Tree {
  // nanoflann reads points through these three members.
  struct Adaptor {
    Points points;
    std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(points.rows()); }
    double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points(i, axis); }
    template <typename BoundingBox>
    bool kdtree_get_bbox(BoundingBox&) const {
      return false;
    }
  };
  using KdTree =
      nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Adaptor>, Adaptor, -1, std::uint32_t>;

  explicit Tree(Points p) : adaptor{std::move(p)}, index(int(adaptor.points.cols()), adaptor, {}) {
    index.buildIndex();
  }
  Adaptor adaptor;
  KdTree index;
};

Neighbours::Neighbours(Points points) {
  if (points.rows() == 0) misuse("no points to search: a neighbour search needs at least one");
  if (!points.allFinite()) fail("a point has a coordinate that is not finite; remove it first");
  tree_ = std::make_unique<Tree>(std::move(points));
}
Neighbours::~Neighbours() = default;
Neighbours::Neighbours(Neighbours&&) noexcept = default;

int Neighbours::size() const {
  return int(tree_->adaptor.points.rows());
}

Neighbours::Hit Neighbours::nearest(const double* query) const {
  return nearest(query, 1).front();
}

std::vector<Neighbours::Hit> Neighbours::nearest(const double* query, int count) const {
  std::vector<std::uint32_t> index(count);
  std::vector<double> squared(index.size());
  const std::size_t found = tree_->index.knnSearch(query, count, index.data(), squared.data());
  std::vector<Hit> hits(found);
  for (std::size_t i = 0; i < found; ++i) hits[i] = {int(index[i]), squared[i]};
  return hits;
}

void Neighbours::within(const double* query, double radius, std::vector<Hit>& hits) const {
  std::vector<std::pair<std::uint32_t, double>> found;
  tree_->index.radiusSearch(query, radius * radius, found, nanoflann::SearchParams(32, 0.0F, false));
  hits.clear();
  for (const auto& [index, squared] : found) hits.push_back({int(index), squared});
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.index < b.index; });
}

}  // namespace fluidsplat::theory
