// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "theory/grid.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// The isotropic spectrum of fields on a grid, averaged over fields: energy per unit of |frequency|, so that a field of
// Sobolev smoothness s shows energy ~ frequency^-(2s+1) in any dimension.
struct Spectrum {
  std::vector<double> frequency;  // cycles per pixel, centres of logarithmic bands
  std::vector<double> energy;
  double noise_energy(double sigma, std::size_t band) const { return sigma * sigma * unit_noise[band]; }
  std::vector<double> unit_noise;  // energy that white noise of standard deviation 1 would show in each band
};

// Fields are tapered to zero at the boundary of the grid (sin^4 along each axis), since a jump between opposite edges
// would show as smoothness 1/2 whatever the field is.  Masked pixels count as zero, and so do their jumps. Bands run
// from 4 periods across the shortest axis to half the Nyquist frequency.
Spectrum isotropic_spectrum(const Grid& grid, const Eigen::Ref<const Matrix>& fields, int bands = 12);

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
