// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/gaussian_dictionary.h"

#include <Eigen/Eigenvalues>
#include <numbers>

#include "base/error.h"
#include "base/index.h"
#include "base/misuse.h"

namespace fluidsplat::theory {

GaussianDictionary nested_dictionary(const Points& points, const FarthestPoints& chosen, int k, double ratio) {
  return {centres(points, chosen, k), Vector::Constant(k, ratio * chosen.fill_distance(k))};
}

GaussianDictionary quasi_uniform_dictionary(const Box& box, int count, double ratio) {
  if (count < 1) fail("a dictionary needs at least 1 Gaussian, got {}", count);
  const int d = box.dimension();
  // Candidates: about 64 per centre, so that the grid does not show in the centres.
  const int per_axis = int(std::ceil(std::pow(64.0 * count, 1.0 / d)));
  const Points candidates = midpoint_grid(box, per_axis);
  return nested_dictionary(candidates, farthest_points(candidates, count), count, ratio);
}

Matrix observation_matrix(const GaussianDictionary& dictionary, const Points& points) {
  if (points.cols() != dictionary.dimension())
    misuse("the points have {} coordinates and the Gaussians {}", points.cols(), dictionary.dimension());
  Matrix values(points.rows(), dictionary.size());
  for (Index k = 0; k < dictionary.size(); ++k) {
    const double width = 2 * dictionary.scales[k] * dictionary.scales[k];
    values.col(k) = (-(points.rowwise() - dictionary.centres.row(k)).rowwise().squaredNorm() / width).array().exp();
  }
  return values;
}

Matrix gram_on_box(const GaussianDictionary& dictionary, const Box& box) {
  if (box.dimension() != dictionary.dimension())
    misuse("the box has {} dimensions and the Gaussians {}", box.dimension(), dictionary.dimension());
  const Index n = dictionary.size();
  Matrix gram(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l <= j; ++l) {
      // A product of two Gaussians is a Gaussian of variance v about m, times what their distance costs.
      const double a = dictionary.scales[j] * dictionary.scales[j], b = dictionary.scales[l] * dictionary.scales[l];
      const double v = a * b / (a + b), width = std::sqrt(2 * v);
      double value = 1;
      for (int axis = 0; axis < box.dimension(); ++axis) {
        const double x = dictionary.centres(j, axis), y = dictionary.centres(l, axis), m = (b * x + a * y) / (a + b);
        value *= std::exp(-(x - y) * (x - y) / (2 * (a + b))) * std::sqrt(0.5 * std::numbers::pi * v) *
                 (std::erf((box.high[axis] - m) / width) - std::erf((box.low[axis] - m) / width));
      }
      gram(j, l) = gram(l, j) = value;
    }
  return gram;
}

Matrix gram_by_quadrature(const GaussianDictionary& dictionary, const Points& points, double volume) {
  const Matrix values = observation_matrix(dictionary, points);
  Matrix gram = Matrix::Zero(values.cols(), values.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(values.transpose(), volume / double(points.rows()));
  return gram.selfadjointView<Eigen::Lower>();
}

SpectralStability spectral_stability(const Matrix& observation, const Matrix& gram, double volume) {
  if (gram.rows() != observation.cols() || gram.cols() != gram.rows())
    misuse("the Gram matrix is {} x {} for {} Gaussians", gram.rows(), gram.cols(), observation.cols());
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
