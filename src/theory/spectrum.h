// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/grid.h"

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

}  // namespace fluidsplat::theory
