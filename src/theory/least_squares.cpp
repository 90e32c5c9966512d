// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/least_squares.h"

#include <Eigen/Cholesky>

#include "base/error.h"

namespace fluidsplat::theory {

Approximant fit_least_squares(const GaussianDictionary& dictionary, const Points& points,
                              const Eigen::Ref<const Matrix>& fields, double ridge) {
  if (fields.rows() != points.rows()) fail("{} values for {} points", fields.rows(), points.rows());
  const Matrix basis = observation_matrix(dictionary, points);
  Matrix gram = Matrix::Zero(basis.cols(), basis.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(basis.transpose());
  const double shift = ridge * gram.diagonal().mean();
  gram.diagonal().array() += shift;
  const Eigen::LDLT<Matrix> factor(gram.selfadjointView<Eigen::Lower>());

  Approximant result;
  result.coefficients = Matrix::Zero(basis.cols(), fields.cols());
  Matrix residual = fields;
  constexpr int kRefinements = 2;
  for (int step = 0; step <= kRefinements; ++step) {
    result.coefficients += factor.solve(basis.transpose() * residual);
    residual = fields - basis * result.coefficients;
  }
  result.relative_errors = residual.colwise().norm().cwiseQuotient(fields.colwise().norm()).transpose();
  return result;
}

RateCurve approximation_curve(const Points& points, const Eigen::Ref<const Matrix>& fields,
                              const FarthestPoints& chosen, const std::vector<int>& counts, double ratio) {
  RateCurve curve;
  for (int k : counts)
    curve.add(k, fit_least_squares(nested_dictionary(points, chosen, k, ratio), points, fields).relative_errors);
  curve.finish();
  return curve;
}

}  // namespace fluidsplat::theory
