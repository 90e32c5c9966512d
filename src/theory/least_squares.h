// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/gaussian_dictionary.h"
#include "theory/grid.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// The best unnormalised approximants sum_k c_k phi_k of several fields, in the least-squares sense.
struct Approximant {
  Matrix coefficients;     // [gaussians, fields]
  Vector relative_errors;  // L2 over the samples, one per field
};

// Solves with the Gram matrix of the samples plus `ridge` times its mean diagonal, then refines twice against the
// unregularised equations: directions that the samples determine are not damped, those that they do not stay small.
// Relative errors below about sqrt(ridge) cannot be reached.
Approximant fit_least_squares(const GaussianDictionary& dictionary, const Points& points,
                              const Eigen::Ref<const Matrix>& fields, double ridge = 1e-13);

// Errors over counts, for nested quasi-uniform centres among the points.
RateCurve approximation_curve(const Points& points, const Eigen::Ref<const Matrix>& fields,
                              const FarthestPoints& chosen, const std::vector<int>& counts,
                              double ratio = kDefaultRatio);

// The unnormalised Gaussian class on a lattice of centres, the cleanest quasi-uniform set.  Gaussians on a lattice are
// products over axes, so least squares on a grid is one small orthogonal projection per axis: tens of thousands of
// Gaussians on millions of pixels take seconds, where a general solve would take hours.
struct LatticeSettings {
  double ratio = 1.0;  // scale over lattice spacing
  // Lattice cells added beyond each end of each axis.  Without them (0) a field that does not vanish at the boundary
  // converges at the boundary's rate, h^(1/2), however smooth it is: the approximation theorem extends the field beyond
  // the domain and places centres there too.
  int margin = 0;
};

// Relative L2 errors over the whole grid, one per field of `fields` [pixels, fields], of the best combination of a
// lattice with `cells` cells along the longest axis and square cells.  `gaussians`, when given, receives their number,
// margin included.  Masked pixels count with the values they have.
Vector lattice_errors(const Grid& grid, const Eigen::Ref<const Matrix>& fields, int cells,
                      const LatticeSettings& settings = {}, int* gaussians = nullptr);

RateCurve lattice_curve(const Grid& grid, const Eigen::Ref<const Matrix>& fields, const std::vector<int>& cells,
                        const LatticeSettings& settings = {});

}  // namespace fluidsplat::theory
