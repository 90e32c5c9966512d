// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/scattered_interpolation.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>

#include "base/misuse.h"

namespace fluidsplat::model {

class ScatteredInterpolation::Search {
 public:
  virtual ~Search() = default;
  virtual Weights at(const float* position) const = 0;
};

template <int D>
class ScatteredInterpolation::SearchIn : public Search {
 public:
  explicit SearchIn(const Matrix& points)
      : points_{points}, tree_(D, points_, nanoflann::KDTreeSingleIndexAdaptorParams(16)) {
    tree_.buildIndex();
  }

  Weights at(const float* position) const override {
    Weights out;
    std::array<double, kNeighbours> squared, weight;
    out.count = Index(tree_.knnSearch(position, kNeighbours, out.point.data(), squared.data()));
    const double radius = std::sqrt(squared[out.count - 1]);
    const Eigen::Map<const Eigen::Vector<float, D>> asked(position);

    // Franke and Little's weights: endless at a point itself, nothing at the farthest neighbour, so that the field
    // stays continuous where the neighbours change.
    double total = 0;
    Vector centre = Vector::Zero();
    for (Index i = 0; i < out.count; ++i) {
      const double near = out.count > 1 && radius > 0 ? 1 - std::sqrt(squared[i]) / radius : 1;
      // Where all are equally far, none would count.
      weight[i] = std::max(near * near, 1e-9) / (squared[i] + 1e-14 * radius * radius + 1e-300);
      total += weight[i];
      centre += weight[i] * point(out.point[i]);
    }
    centre /= total;
    Square scatter = Square::Zero();
    double reach = 0;
    for (Index i = 0; i < out.count; ++i) {
      const Vector offset = point(out.point[i]) - centre;
      scatter += weight[i] * offset * offset.transpose();
      reach = std::max(reach, offset.squaredNorm());
    }
    // Neighbours on one line say nothing of the direction across it: no slope there.
    scatter += (1e-9 * scatter.trace() + 1e-300) * Square::Identity();
    const Eigen::LLT<Square> solver(scatter);
    Vector offset = within_reach(asked.template cast<double>(), out) - centre;
    if (offset.squaredNorm() > reach) offset *= std::sqrt(reach / offset.squaredNorm());

    // A line through the weighted mean; the mean itself has no slope, since the offsets' weighted sum is nothing.
    for (Index i = 0; i < out.count; ++i) {
      const Vector slope = solver.solve(weight[i] * (point(out.point[i]) - centre));
      out.value[i] = weight[i] / total + slope.dot(offset);
      for (int a = 0; a < D; ++a) out.slope[i][a] = slope[a];
    }
    return out;
  }

 private:
  using Vector = Eigen::Vector<double, D>;
  using Square = Eigen::Matrix<double, D, D>;
  // As many as a point of a grid has around it, itself included, and in space those that share a face or an edge.
  static constexpr std::size_t kNeighbours = D == 2 ? 9 : 19;
  static_assert(kNeighbours <= Weights::kMost);
  static constexpr double kMargin = 0.5;  // of what the neighbours cover: one cell beyond the edge of a grid

  // nanoflann reads points through these three members.
  struct Points {
    const Matrix& rows;
    std::size_t kdtree_get_point_count() const { return std::size_t(rows.rows()); }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const { return rows(Index(i), Index(axis)); }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Points, double>, Points, D,
                                                   std::uint32_t>;

  // Outside of its neighbours a field is not continued farther than they reach, along each of their principal axes:
  // from points on a surface next to nothing off it, where they say nothing of the slope.
  Vector within_reach(const Vector& asked, const Weights& neighbours) const {
    Vector centre = Vector::Zero();
    for (Index i = 0; i < neighbours.count; ++i) centre += point(neighbours.point[i]) / double(neighbours.count);
    Square spread = Square::Zero();
    for (Index i = 0; i < neighbours.count; ++i) {
      const Vector offset = point(neighbours.point[i]) - centre;
      spread += offset * offset.transpose() / double(neighbours.count);
    }
    Eigen::SelfAdjointEigenSolver<Square> axes;
    axes.computeDirect(spread);
    const Square to_axes = axes.eigenvectors().transpose();
    Vector low = Vector::Zero(), high = Vector::Zero();
    for (Index i = 0; i < neighbours.count; ++i) {
      const Vector at = to_axes * (point(neighbours.point[i]) - centre);
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
    const Vector margin = kMargin * (high - low);
    const Vector along = (to_axes * (asked - centre)).cwiseMax(low - margin).cwiseMin(high + margin);
    return centre + axes.eigenvectors() * along;
  }

  Vector point(std::uint32_t i) const { return points_.rows.row(i).transpose().template cast<double>(); }

  Points points_;
  Tree tree_;
};

ScatteredInterpolation::ScatteredInterpolation(const Matrix& points) {
  if (points.rows() < 1) misuse("there is nothing to interpolate between");
  if (points.cols() == 2)
    search_ = std::make_unique<SearchIn<2>>(points);
  else if (points.cols() == 3)
    search_ = std::make_unique<SearchIn<3>>(points);
  else
    misuse("points to interpolate between are in 2-D or 3-D, not {}-D", points.cols());
}

ScatteredInterpolation::~ScatteredInterpolation() = default;

ScatteredInterpolation::Weights ScatteredInterpolation::at(const float* position) const {
  return search_->at(position);
}

}  // namespace fluidsplat::model
