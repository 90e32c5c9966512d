// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/shepard.h"

#include "base/error.h"
#include "theory/neighbours.h"

namespace fluidsplat::theory {

SparseRows shepard_weights(const Points& points, const Points& centres, double scale, double tolerance) {
  if (!(scale > 0)) fail("the scale of a Gaussian must be positive, got {}", scale);
  const Neighbours tree(centres);
  // With the nearest weight as 1, each centre beyond this reach has weight below tolerance / centres.
  const double reach = 2 * scale * scale * std::log(double(centres.rows()) / tolerance);

  SparseRows weights(points.rows(), centres.rows());
  std::vector<Neighbours::Hit> hits;
  std::vector<double> row;
  for (Index i = 0; i < points.rows(); ++i) {
    const double* point = points.row(i).data();
    const Neighbours::Hit nearest = tree.nearest(point);
    tree.within(point, std::sqrt(nearest.squared_distance + reach), hits);
    if (hits.empty()) hits.push_back(nearest);  // the reach is below one rounding of the distance
    row.clear();
    double sum = 0;
    for (const Neighbours::Hit& hit : hits) {
      row.push_back(std::exp((nearest.squared_distance - hit.squared_distance) / (2 * scale * scale)));
      sum += row.back();
    }
    weights.startVec(i);
    for (std::size_t j = 0; j < hits.size(); ++j) weights.insertBack(i, hits[j].index) = row[j] / sum;
  }
  weights.finalize();
  return weights;
}

}  // namespace fluidsplat::theory
