// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/centres.h"

#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"

namespace fluidsplat::theory {
namespace {

struct Cell {
  std::vector<int> members;
  int farthest = -1;
  double squared_radius = -1;
};

class Chooser {
 public:
  explicit Chooser(const Points& points) : points_(points), squared_(points.rows()) {}

  FarthestPoints choose(int count, int first) {
    start(first);
    while (result_.size() < count) {
      const Cell& widest = cells_[widest_];
      if (!(widest.squared_radius > 0))
        fail("asked for {} centres, but only {} of the {} points are distinct", count, result_.size(), points_.rows());
      add(widest.farthest);
    }
    return std::move(result_);
  }

 private:
  double squared_distance(int a, int b) const {
    const Index d = points_.cols();
    const double *x = points_.data() + a * d, *y = points_.data() + b * d;
    double sum = 0;
    for (Index axis = 0; axis < d; ++axis) sum += (x[axis] - y[axis]) * (x[axis] - y[axis]);
    return sum;
  }

  void start(int first) {
    Cell cell;
    cell.members.resize(squared_.size());
    std::iota(cell.members.begin(), cell.members.end(), 0);
    for (int i : cell.members) squared_[i] = squared_distance(i, first);
    measure(cell);
    cells_.push_back(std::move(cell));
    note(first);
  }

  void add(int centre) {
    Cell fresh;
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      Cell& cell = cells_[j];
      // A member p is within r of its centre.  With the new centre at 2r or more, p is at least r from it.
      if (squared_distance(centre, result_.order[j]) >= 4 * cell.squared_radius) continue;
      std::size_t kept = 0;
      for (int i : cell.members) {
        const double squared = squared_distance(i, centre);
        double& best = squared_[i];
        if (squared < best) {
          best = squared;
          fresh.members.push_back(i);
        } else {
          cell.members[kept++] = i;
        }
      }
      if (kept == cell.members.size()) continue;
      cell.members.resize(kept);
      measure(cell);
    }
    measure(fresh);
    cells_.push_back(std::move(fresh));
    note(centre);
  }

  void measure(Cell& cell) const {
    cell.squared_radius = -1;
    for (int i : cell.members) {
      const double squared = squared_[i];
      if (squared > cell.squared_radius || (squared == cell.squared_radius && i < cell.farthest)) {
        cell.squared_radius = squared;
        cell.farthest = i;
      }
    }
  }

  void note(int centre) {
    widest_ = 0;
    for (std::size_t j = 1; j < cells_.size(); ++j) {
      const Cell &a = cells_[j], &b = cells_[widest_];
      if (a.squared_radius > b.squared_radius || (a.squared_radius == b.squared_radius && a.farthest < b.farthest))
        widest_ = j;
    }
    result_.order.push_back(centre);
    result_.fill.push_back(std::sqrt(cells_[widest_].squared_radius));
  }

  const Points& points_;
  std::vector<double> squared_;  // of each point to its nearest centre
  std::vector<Cell> cells_;      // one per centre, in the order chosen
  std::size_t widest_ = 0;
  FarthestPoints result_;
};

}  // namespace

FarthestPoints farthest_points(const Points& points, int count, int first) {
  if (count < 1 || count > points.rows())
    fail("asked for {} centres among {} points; ask for 1 to {}", count, points.rows(), points.rows());
  if (!points.allFinite()) fail("a point has a coordinate that is not finite; remove it first");
  if (first < 0) {
    Index row;
    const Eigen::RowVectorXd mean = points.colwise().mean();
    (points.rowwise() - mean).rowwise().squaredNorm().minCoeff(&row);
    first = int(row);
  }
  return Chooser(points).choose(count, first);
}

Points centres(const Points& points, const FarthestPoints& chosen, int k) {
  Points result(k, points.cols());
  for (int i = 0; i < k; ++i) result.row(i) = points.row(chosen.order[i]);
  return result;
}

PointGeometry measure_geometry(const Points& centres, const Points& domain) {
  if (centres.cols() != domain.cols())
    misuse("the centres have {} coordinates and the domain {}; they must agree", centres.cols(), domain.cols());
  const Neighbours tree(centres);
  double farthest = 0, closest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < domain.rows(); ++i)
    farthest = std::max(farthest, tree.nearest(domain.row(i).data()).squared_distance);
  // Of the two nearest one is the centre itself, or a twin at the same place.
  for (Index k = 0; k < centres.rows() && centres.rows() > 1; ++k)
    closest = std::min(closest, tree.nearest(centres.row(k).data(), 2)[1].squared_distance);
  return {std::sqrt(farthest), 0.5 * std::sqrt(closest)};
}

}  // namespace fluidsplat::theory
