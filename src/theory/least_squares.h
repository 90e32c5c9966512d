// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/gaussian_dictionary.h"
#include "theory/rate_curve.h"

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

}  // namespace fluidsplat::theory
