// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/noise.h"

#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {

double noise_from_time_series(const Eigen::Ref<const Matrix>& readings) {
  constexpr int kOrders = 6;
  if (readings.rows() < kOrders + 2 || readings.cols() == 0)
    fail("noise from a time series needs {} readings or more in a row, got {} of {} sensors", kOrders + 2,
         readings.rows(), readings.cols());
  Matrix differences = readings;
  double lowest = std::numeric_limits<double>::infinity(), gain = 1;
  for (int order = 1; order <= kOrders; ++order) {
    const Index n = differences.rows() - 1;
    differences = (differences.bottomRows(n) - differences.topRows(n)).eval();
    gain *= 2.0 * (2 * order - 1) / order;  // binomial(2m, m): the variance of the m-th difference of unit noise
    const double variance = differences.squaredNorm() / (double(differences.size()) * gain);
    lowest = std::min(lowest, variance);
  }
  return std::sqrt(lowest);
}

double noise_from_neighbours(const Points& points, const Eigen::Ref<const Vector>& values) {
  const Index d = points.cols();
  const int neighbours = int(3 * (d + 1));
  if (values.size() != points.rows()) fail("{} values for {} points", values.size(), points.rows());
  if (points.rows() <= neighbours)
    fail("noise from neighbours needs more than {} points, got {}", neighbours, points.rows());
  const Neighbours tree(points);
  std::vector<double> variances;
  for (Index i = 0; i < points.rows(); ++i) {
    const std::vector<Neighbours::Hit> hits = tree.nearest(points.row(i).data(), neighbours);
    Matrix plane(neighbours, d + 1);
    Vector readings(neighbours);
    for (Index j = 0; j < neighbours; ++j) {
      const int at = hits[j].index;
      plane.row(j) << 1, points.row(at) - points.row(i);
      readings[j] = values[at];
    }
    const Eigen::ColPivHouseholderQR<Matrix> solver(plane);
    // A residual with k degrees of freedom has a chi-squared variance; k (1 - 2/(9k))^3 is its median.
    const double freedom = double(neighbours - solver.rank());
    const double median = freedom * std::pow(1 - 2 / (9 * freedom), 3);
    variances.push_back((readings - plane * solver.solve(readings)).squaredNorm() / median);
  }
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  return std::sqrt(*middle);
}

}  // namespace fluidsplat::theory
