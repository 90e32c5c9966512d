// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/gaussian_dictionary.h"

#include "base/error.h"

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
    fail("the points have {} coordinates and the Gaussians {}", points.cols(), dictionary.dimension());
  Matrix values(points.rows(), dictionary.size());
  for (Index k = 0; k < dictionary.size(); ++k) {
    const double width = 2 * dictionary.scales[k] * dictionary.scales[k];
    values.col(k) = (-(points.rowwise() - dictionary.centres.row(k)).rowwise().squaredNorm() / width).array().exp();
  }
  return values;
}

}  // namespace fluidsplat::theory
