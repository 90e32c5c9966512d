// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>

#include "theory/points.h"

namespace fluidsplat::theory {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// The normalised Gaussian weights psi_k(x_i) as a sparse [points, centres] matrix whose rows sum to one, for isotropic
// Gaussians of one scale (standard deviation) and equal amplitudes.  The Shepard oracle of a field f is this matrix
// times f at the centres; one matrix serves every frame.
//
// Weights are taken relative to the nearest centre, so a point that is far from all centres gets its nearest one, never
// 0/0.  Centres whose weights cannot add up to `tolerance` are left out: the oracle then differs from the full sum by
// at most tolerance * (max f(mu) - min f(mu)).
SparseRows shepard_weights(const Points& points, const Points& centres, double scale, double tolerance = 1e-10);

}  // namespace fluidsplat::theory
