// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/points.h"

namespace fluidsplat::theory {

struct PointGeometry {
  double fill_distance = 0;      // the largest distance from the domain to its nearest centre
  double separation_radius = 0;  // half the smallest distance between two centres
  // The paper's rho: a family of centre sets is quasi-uniform when this stays bounded.
  double quasi_uniformity() const { return fill_distance / separation_radius; }
};

// The supremum over the domain is taken over `domain`, a dense sample of it.
PointGeometry measure_geometry(const Points& centres, const Points& domain);

}  // namespace fluidsplat::theory
