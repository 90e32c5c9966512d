// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/points.h"

namespace fluidsplat::theory {

// How faithfully samples see a dictionary: lower * (N/volume) G <= A^T A <= upper * (N/volume) G. The paper's c_s is
// `lower`; both are 1 for samples that integrate products of the basis exactly.
struct SpectralStability {
  double lower = 0, upper = 0;
  int rank = 0;  // of G in double precision; the inequality is taken on its range
};

// A: observation matrix [N, K]; G: Gram matrix [K, K].
SpectralStability spectral_stability(const Matrix& observation, const Matrix& gram, double volume);

}  // namespace fluidsplat::theory
