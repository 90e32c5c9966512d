// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/gram.h"

#include <numbers>

#include "base/error.h"

namespace fluidsplat::theory {

Matrix gram_on_box(const GaussianDictionary& dictionary, const Box& box) {
  if (box.dimension() != dictionary.dimension())
    fail("the box has {} dimensions and the Gaussians {}", box.dimension(), dictionary.dimension());
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

}  // namespace fluidsplat::theory
