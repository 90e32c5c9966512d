// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/centres.h"

namespace fluidsplat::theory {

// K isotropic Gaussians phi_k(x) = exp(-|x - mu_k|^2 / (2 sigma_k^2)): the basis of an unnormalised primitive field,
// with fixed centres and scales.
struct GaussianDictionary {
  Points centres;
  Vector scales;  // sigma_k

  int size() const { return int(centres.rows()); }
  int dimension() const { return int(centres.cols()); }
};

// Wide enough for a rich span, narrow enough for a well-conditioned one: Gaussians much narrower than their spacing
// leave holes between them, much wider ones become dependent.
constexpr double kDefaultRatio = 1.3;

// The first k of nested centres, with scales `ratio` times their fill distance.
GaussianDictionary nested_dictionary(const Points& points, const FarthestPoints& chosen, int k,
                                     double ratio = kDefaultRatio);

// The same for K quasi-uniform centres in a box.
GaussianDictionary quasi_uniform_dictionary(const Box& box, int count, double ratio = kDefaultRatio);

// A_ij = phi_j(x_i): the observation matrix of sensors, or the values on a grid.
Matrix observation_matrix(const GaussianDictionary& dictionary, const Points& points);

// G_jl = integral over the box of phi_j phi_l, in closed form (a product of error functions).
Matrix gram_on_box(const GaussianDictionary& dictionary, const Box& box);

// The same over any domain that equal-weight points sample: volume / n * A^T A.
Matrix gram_by_quadrature(const GaussianDictionary& dictionary, const Points& points, double volume);

// How faithfully samples see a dictionary: lower * (N/volume) G <= A^T A <= upper * (N/volume) G. The paper's c_s is
// `lower`; both are 1 for samples that integrate products of the basis exactly.
struct SpectralStability {
  double lower = 0, upper = 0;
  int rank = 0;  // of G in double precision; the inequality is taken on its range
};

// A: observation matrix [N, K]; G: Gram matrix [K, K].
SpectralStability spectral_stability(const Matrix& observation, const Matrix& gram, double volume);

}  // namespace fluidsplat::theory
