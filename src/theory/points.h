// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"

namespace fluidsplat::theory {

// Everything in this folder sees a field as points and values, so that grids, meshes and formulas are the same.
using Points = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // [n, d]
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // several fields on the same points: [n, fields]

struct Box {
  Vector low, high;
  int dimension() const { return int(low.size()); }
  double volume() const { return (high - low).prod(); }
};

Box unit_box(int dimension);
Box bounding_box(const Points& points);

// The midpoints of per_axis^d equal cells: with weights volume / n this is the midpoint rule.
Points midpoint_grid(const Box& box, int per_axis);
Points uniform_points(const Box& box, int count, Random& random);
// One uniform point in each of per_axis^d equal cells: random, yet spread evenly.
Points stratified_points(const Box& box, int per_axis, Random& random);

// The side of the cube that each of `count` points would own: (volume / count)^(1/d).
inline double mean_spacing(double volume, int dimension, double count) {
  return std::pow(volume / count, 1.0 / dimension);
}

// Root mean square over points of the difference, over that of the reference.
double relative_l2(const Eigen::Ref<const Vector>& estimate, const Eigen::Ref<const Vector>& reference);

// A k-d tree over a copy of the points.  Thread-safe for queries.
class Neighbours {
 public:
  struct Hit {
    int index;
    double squared_distance;
  };

  explicit Neighbours(Points points);
  ~Neighbours();
  Neighbours(Neighbours&&) noexcept;

  Hit nearest(const double* query) const;
  // The `count` nearest, by increasing distance; fewer when there are fewer points.
  std::vector<Hit> nearest(const double* query, int count) const;
  // All within `radius`, by increasing index: sums over them do not depend on the shape of the tree.
  void within(const double* query, double radius, std::vector<Hit>& hits) const;
  int size() const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace fluidsplat::theory
