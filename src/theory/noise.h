// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/points.h"

namespace fluidsplat::theory {

// The standard deviation of independent noise on top of something smooth, without knowing the latter.

// From readings in the order of time: [times, sensors].  Differences of order m remove what is locally a polynomial of
// degree m - 1 and leave noise of known variance, so each order gives an upper estimate; the smallest over orders 1 to
// 6 is returned.  Needs 8 readings in a row.
double noise_from_time_series(const Eigen::Ref<const Matrix>& readings);

// From one field on points: what a plane through the nearest neighbours of each point does not explain.  Also an upper
// estimate: curvature within the spacing of the points counts as noise.  The median over points is taken, so that thin
// layers, where the field is not resolved, do not count as noise everywhere.
double noise_from_neighbours(const Points& points, const Eigen::Ref<const Vector>& values);

}  // namespace fluidsplat::theory
