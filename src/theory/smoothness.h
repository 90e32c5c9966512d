// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "theory/grid.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// The effective Sobolev smoothness of fields over the scales that the data resolve: the s with which errors would fall
// as K^{-s/d}.  An infinitely smooth field shows a finite, scale-dependent s.
struct SmoothnessEstimate {
  double smoothness = 0, low = 0, high = 0;  // with the interval of the fit
  std::string method;
  RateFit fit;
};

// From the decay of the spectrum, energy ~ frequency^-(2s+1).  Bands in which noise of standard deviation `noise` would
// be half the energy or more are left out; nothing is returned when fewer than 3 are left.
std::optional<SmoothnessEstimate> smoothness_from_spectrum(const Grid& grid, const Eigen::Ref<const Matrix>& fields,
                                                           double noise = 0);

// From the errors of unnormalised Gaussians on nested centres, error ~ K^{-s/d}, for points in any arrangement. Fields
// are tapered to zero at the bounding box, beyond which there are no centres.  At most `max_points` points are used
// (farthest points).
SmoothnessEstimate smoothness_from_rates(const Points& points, const Eigen::Ref<const Matrix>& fields,
                                         int max_points = 4000);

}  // namespace fluidsplat::theory
