// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/least_squares.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"
#include "base/index.h"

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

TEST(LatticeProjection, IsTheGeneralLeastSquaresFit) {
  for (int d : {1, 2, 3}) {
    const int pixels = d == 3 ? 10 : 24, cells = 4;
    const Points points = midpoint_grid(unit_box(d), pixels);
    Random random(9, d);
    Vector field(points.rows());
    for (double& v : field) v = random.normal();
    const Points lattice = midpoint_grid(unit_box(d), cells);
    const GaussianDictionary dictionary{lattice, Vector::Constant(lattice.rows(), 0.8 / cells)};
    int count = 0;
    const Grid grid(std::vector<int>(d, pixels));
    EXPECT_NEAR(lattice_errors(grid, field, cells, {0.8, 0}, &count)[0],
                fit_least_squares(dictionary, points, field).relative_errors[0], 1e-9);
    EXPECT_EQ(count, dictionary.size());
  }
}

TEST(LatticeProjection, KeepsCellsSquareOnALongGrid) {
  const Grid grid({40, 20, 10});
  int count = 0;
  lattice_errors(grid, Vector::Ones(grid.size()), 8, {1.0, 1}, &count);
  EXPECT_EQ(count, (8 + 2) * (4 + 2) * (2 + 2));
}

// A field that does not vanish at the boundary needs centres beyond it: h^(1/2) = K^{-1/2} without, spectral with.
TEST(LatticeProjection, CentresBeyondTheBoundaryRestoreTheRate) {
  const Grid grid({1024});
  Vector field(1024);
  for (Index i = 0; i < 1024; ++i) field[i] = std::cos(3 * (double(i) + 0.5) / 1024);
  const RateCurve inside = lattice_curve(grid, field, {8, 16, 32, 64});
  EXPECT_NEAR(inside.fit.exponent, -0.5, 0.1);
  EXPECT_LT(lattice_errors(grid, field, 16, {1.0, 3})[0], 1e-3 * lattice_errors(grid, field, 16)[0]);
}

TEST(LatticeProjection, RefusesWhatDoesNotFit) {
  EXPECT_THROW(lattice_errors(Grid({4}), Vector::Ones(5), 2), std::logic_error);
  EXPECT_THROW(lattice_errors(Grid({4}), Vector::Ones(4), 0), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
