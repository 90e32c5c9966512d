// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/point_geometry.h"

#include <limits>

#include "base/error.h"
#include "theory/neighbours.h"

namespace fluidsplat::theory {

PointGeometry measure_geometry(const Points& centres, const Points& domain) {
  if (centres.cols() != domain.cols())
    fail("the centres have {} coordinates and the domain {}; they must agree", centres.cols(), domain.cols());
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
