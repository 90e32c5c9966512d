// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/stability.h"

#include <Eigen/Eigenvalues>

#include "base/error.h"

namespace fluidsplat::theory {

SpectralStability spectral_stability(const Matrix& observation, const Matrix& gram, double volume) {
  if (gram.rows() != observation.cols() || gram.cols() != gram.rows())
    fail("the Gram matrix is {} x {} for {} Gaussians", gram.rows(), gram.cols(), observation.cols());
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(gram);
  const Vector& values = spectrum.eigenvalues();  // increasing
  const double cutoff = 1e-13 * values[values.size() - 1];
  const Index rank = (values.array() > cutoff).count();
  // A basis of the range that is orthonormal in G: the generalised problem becomes an ordinary one.
  const Matrix whitening =
      spectrum.eigenvectors().rightCols(rank) * values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix seen = observation * whitening;
  const double scale = volume / double(observation.rows());
  const Vector ratios =
      Eigen::SelfAdjointEigenSolver<Matrix>(scale * (seen.transpose() * seen), Eigen::EigenvaluesOnly).eigenvalues();
  return {std::max(0.0, ratios[0]), ratios[rank - 1], int(rank)};
}

}  // namespace fluidsplat::theory
