// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/least_squares.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(LeastSquares, ReproducesWhatTheDictionarySpans) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), 30, 1.0);
  const Points points = midpoint_grid(unit_box(2), 24);
  const Matrix truth = Matrix::Random(30, 3);
  const Approximant fit = fit_least_squares(dictionary, points, observation_matrix(dictionary, points) * truth);
  EXPECT_LT(fit.relative_errors.maxCoeff(), 1e-10);
  EXPECT_LT((fit.coefficients - truth).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(LeastSquares, ResidualIsOrthogonalToTheSpan) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 12);
  const Points points = midpoint_grid(unit_box(1), 200);
  const Vector values = points.col(0).array().sqrt();
  const Matrix basis = observation_matrix(dictionary, points);
  const Vector residual = values - basis * fit_least_squares(dictionary, points, values).coefficients;
  EXPECT_LT((basis.transpose() * residual).cwiseAbs().maxCoeff(), 1e-6 * values.norm());
}

// A ridge r damps a direction of eigenvalue v by r / (v + r); two refinements leave the cube of that.
TEST(LeastSquares, RefinementUndoesTheRidge) {
  const GaussianDictionary narrow = quasi_uniform_dictionary(unit_box(1), 10, 0.8);
  const Points points = midpoint_grid(unit_box(1), 200);
  const Matrix truth = Matrix::Random(10, 2);
  const Approximant fit = fit_least_squares(narrow, points, observation_matrix(narrow, points) * truth, 1e-3);
  EXPECT_LT(fit.relative_errors.maxCoeff(), 1e-5);
}

TEST(LeastSquares, SurvivesTwinGaussians) {
  GaussianDictionary twins = quasi_uniform_dictionary(unit_box(1), 6);
  twins.centres.row(3) = twins.centres.row(2);
  const Points points = midpoint_grid(unit_box(1), 100);
  const Approximant fit = fit_least_squares(twins, points, Vector(points.col(0).array().sin()));
  EXPECT_TRUE(fit.coefficients.allFinite());
  EXPECT_LT(fit.relative_errors[0], 0.5);
}

TEST(LeastSquares, RefusesValuesThatDoNotFitThePoints) {
  EXPECT_THROW(fit_least_squares(quasi_uniform_dictionary(unit_box(1), 3), Points::Zero(4, 1), Vector::Zero(5)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
