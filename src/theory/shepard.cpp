// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/shepard.h"

#include "base/error.h"
#include "theory/neighbours.h"

namespace fluidsplat::theory {

SparseRows shepard_weights(const Points& points, const Points& centres, double scale, double tolerance) {
  if (!(scale > 0)) fail("the scale of a Gaussian must be positive, got {}", scale);
  const Neighbours tree(centres);
  // With the nearest weight as 1, each centre beyond this reach has weight below tolerance / centres.
  const double reach = 2 * scale * scale * std::log(static_cast<double>(centres.rows()) / tolerance);

  std::vector<Eigen::Triplet<double>> weights;
  std::vector<Neighbours::Hit> hits;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const double* point = points.row(i).data();
    const Neighbours::Hit nearest = tree.nearest(point);
    tree.within(point, std::sqrt(nearest.squared_distance + reach), hits);
    if (hits.empty()) hits.push_back(nearest);  // the reach is below one rounding of the distance
    double sum = 0;
    for (Neighbours::Hit& hit : hits)
      sum += std::exp((nearest.squared_distance - hit.squared_distance) / (2 * scale * scale));
    for (const Neighbours::Hit& hit : hits)
      weights.emplace_back(
          static_cast<int>(i), hit.index,
          std::exp((nearest.squared_distance - hit.squared_distance) / (2 * scale * scale)) / sum);
  }
  SparseRows result(points.rows(), centres.rows());
  result.setFromTriplets(weights.begin(), weights.end());
  return result;
}

}  // namespace fluidsplat::theory
