// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/estimate_normals.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <queue>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

constexpr Index kNeighbours = 12;

// The nearest of each point, itself first; row i has those of point i.
std::vector<Index> neighbours_of(const Matrix& points, Index count) {
  nanoflann::KDTreeEigenMatrixAdaptor<Matrix, -1, nanoflann::metric_L2_Simple> tree(int(points.cols()), points, 12);
  std::vector<Index> out(std::size_t(points.rows() * count));
  std::vector<float> distances(count);
  for (Index i = 0; i < points.rows(); ++i) {
    const Eigen::RowVectorXf place = points.row(i);
    tree.query(place.data(), count, out.data() + i * count, distances.data());
  }
  return out;
}

// Across the plane that the points lie in, as far as they do.
Eigen::RowVectorXd across(const Matrix& points, const Index* some, Index count) {
  Eigen::MatrixXd around(count, points.cols());
  for (Index j = 0; j < count; ++j) around.row(j) = points.row(some[j]).cast<double>();
  around.rowwise() -= around.colwise().mean().eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(around.transpose() * around);
  return solver.eigenvectors().col(0).transpose();
}

// Which side is outside spreads from a point where it is sure, first to those neighbours whose planes are most alike:
// edges, where it may go wrong, come last.
class Orientation {
 public:
  Orientation(const Matrix& points, Matrix& normals, const std::vector<Index>& neighbours, Index count)
      : points_(points), normals_(normals), links_(points.rows()), is_done_(points.rows(), false) {
    for (Index i = 0; i < points.rows(); ++i)
      for (Index k = 1; k < count; ++k) {
        const Index j = neighbours[i * count + k];
        links_[i].push_back(j), links_[j].push_back(i);
      }
  }

  void spread() {
    for (Index i = 0; i < points_.rows(); ++i)
      if (!is_done_[i]) spread_over(surface_of(i));
  }

 private:
  struct Step {
    float likeness;
    Index from, to;
    bool operator<(const Step& other) const { return likeness < other.likeness; }
  };

  std::vector<Index> surface_of(Index start) const {
    std::vector<char> is_found(points_.rows(), false);
    std::vector<Index> out = {start};
    is_found[start] = true;
    for (std::size_t k = 0; k < out.size(); ++k)
      for (Index j : links_[out[k]])
        if (!is_found[j]) is_found[j] = true, out.push_back(j);
    return out;
  }

  // What is farthest from the middle of a closed surface looks away from it.
  void spread_over(const std::vector<Index>& surface) {
    Eigen::RowVectorXf middle = Eigen::RowVectorXf::Zero(points_.cols());
    for (Index i : surface) middle += points_.row(i) / float(surface.size());
    const auto distance = [&](Index i) { return (points_.row(i) - middle).squaredNorm(); };
    const Index first = *std::ranges::max_element(surface, {}, distance);
    if (normals_.row(first).dot(points_.row(first) - middle) < 0) normals_.row(first) *= -1;
    std::priority_queue<Step> queue;
    const auto reach = [&](Index i) {
      is_done_[i] = true;
      for (Index j : links_[i])
        if (!is_done_[j]) queue.push({std::abs(normals_.row(i).dot(normals_.row(j))), i, j});
    };
    reach(first);
    while (!queue.empty()) {
      const auto step = queue.top();
      queue.pop();
      if (is_done_[step.to]) continue;
      if (normals_.row(step.from).dot(normals_.row(step.to)) < 0) normals_.row(step.to) *= -1;
      reach(step.to);
    }
  }

  const Matrix& points_;
  Matrix& normals_;
  std::vector<std::vector<Index>> links_;
  std::vector<char> is_done_;
};

}  // namespace

Matrix estimate_normals(const Matrix& points) {
  const Index n = points.rows(), d = points.cols();
  if (n < d + 1) fail("{} points tell no surface in {} dimensions", n, d);
  const Index count = std::min(n, kNeighbours + 1);
  const auto neighbours = neighbours_of(points, count);
  Matrix normals(n, d);
  for (Index i = 0; i < n; ++i) normals.row(i) = across(points, neighbours.data() + i * count, count).cast<float>();
  Orientation(points, normals, neighbours, count).spread();
  return normals;
}

}  // namespace fluidsplat::field
