// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/farthest_points.h"

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

}  // namespace fluidsplat::theory
