// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// Centres chosen greedily, each the point farthest from those before it.  Every prefix is itself such a set (nested)
// and is quasi-uniform: its fill distance is at most twice its separation radius.
struct FarthestPoints {
  std::vector<int> order;    // rows of the points, in the order chosen
  std::vector<double> fill;  // fill[k-1]: fill distance over the points of the first k centres

  int size() const { return int(order.size()); }
  double fill_distance(int k) const { return fill[k - 1]; }
};

// Exact, with ties going to the lower row.  Points are kept in the cells of their nearest centre, and a new centre
// visits only cells it can take from, so the cost is near count^2 + n log(count), not count * n. The first centre is
// row `first`, or the point nearest the mean when first < 0.
FarthestPoints farthest_points(const Points& points, int count, int first = -1);

// The rows of `points` that are the first k centres.
Points centres(const Points& points, const FarthestPoints& chosen, int k);

struct PointGeometry {
  double fill_distance = 0;      // the largest distance from the domain to its nearest centre
  double separation_radius = 0;  // half the smallest distance between two centres
  // The paper's rho: a family of centre sets is quasi-uniform when this stays bounded.
  double quasi_uniformity() const { return fill_distance / separation_radius; }
};

// The supremum over the domain is taken over `domain`, a dense sample of it.
PointGeometry measure_geometry(const Points& centres, const Points& domain);

}  // namespace fluidsplat::theory
