// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/least_squares_risk.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "base/error.h"
#include "theory/analytic_fields.h"

namespace fluidsplat::theory {
namespace {

RiskProblem problem_1d() {
  return make_risk_problem(unit_box(1), 1000,
                           [](const Points& points) { return point_singularity(1, 0.5, 2).at(points); });
}

TEST(LeastSquaresRisk, IsWhatSimulationFinds) {
  const RiskProblem problem = problem_1d();
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 8);
  Random random(12);
  const Points samples = uniform_points(unit_box(1), 60, random);
  const RiskTerms terms = least_squares_risk(problem, dictionary, samples);
  // Reconstruct from noisy readings again and again, and measure the error on the quadrature points.
  const Matrix a = observation_matrix(dictionary, samples), basis = observation_matrix(dictionary, problem.quadrature);
  const Eigen::LDLT<Matrix> normal(a.transpose() * a);
  const double sigma = 0.1;
  double risk = 0;
  const int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    Vector readings = problem.field(samples);
    for (double& y : readings) y += sigma * random.normal();
    const Vector estimate = basis * normal.solve(a.transpose() * readings);
    risk += (estimate - problem.values).squaredNorm() / (1000.0 * trials);
  }
  EXPECT_NEAR(terms.risk(sigma), risk, 0.04 * risk);
  EXPECT_NEAR(monte_carlo_variance(dictionary, unit_box(1), samples, sigma, 4000, random), terms.variance(sigma),
              0.05 * terms.variance(sigma));
  EXPECT_NEAR(unit_variance(dictionary, unit_box(1), samples), terms.unit_variance, 1e-12 * terms.unit_variance);
}

// Without noise there is one fit, and few samples alias the field's unresolved part into it.
TEST(LeastSquaresRisk, WithoutNoiseIsTheErrorOfTheOneFit) {
  const RiskProblem problem = problem_1d();
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 8);
  Random random(3);
  const Points samples = uniform_points(unit_box(1), 14, random);
  const RiskTerms terms = least_squares_risk(problem, dictionary, samples);
  const Matrix a = observation_matrix(dictionary, samples);
  const Vector coefficients = a.colPivHouseholderQr().solve(problem.field(samples));
  const Vector error = observation_matrix(dictionary, problem.quadrature) * coefficients - problem.values;
  const double squared = error.squaredNorm() / double(error.size());
  EXPECT_NEAR(terms.risk(0), squared, 1e-3 * squared);
  EXPECT_GT(terms.aliasing, 0.1 * terms.bias);
}

TEST(LeastSquaresRisk, NeverExceedsTheBound) {
  const RiskProblem problem = problem_1d();
  for (int k : {2, 5, 12, 20})
    for (int n : {24, 60, 200}) {
      Random random(7, k, n);
      const RiskTerms terms = least_squares_risk(problem, quasi_uniform_dictionary(unit_box(1), k),
                                                 stratified_points(unit_box(1), n, random));
      for (double sigma : {0.0, 0.01, 1.0}) EXPECT_LE(terms.risk(sigma), terms.bound(sigma) * (1 + 1e-6));
      EXPECT_LE(terms.unit_variance, k / (terms.stability * n) * (1 + 1e-6));
    }
}

// With samples spread evenly and N >= 16 K the variance is sigma^2 K / N times the volume, whatever K, N, sigma.
TEST(LeastSquaresRisk, VarianceOverNoiseTimesCountOverSamplesIsConstant) {
  for (int k : {4, 16, 36})
    for (int per_axis : {24, 32, 48})
      for (double sigma : {0.05, 2.0}) {
        const int n = per_axis * per_axis;
        Random random(5, k, n);
        const Points samples = stratified_points(unit_box(2), per_axis, random);
        const int trials = 2000 / k;
        const double variance =
            monte_carlo_variance(quasi_uniform_dictionary(unit_box(2), k), unit_box(2), samples, sigma, trials, random);
        EXPECT_NEAR(variance / (sigma * sigma * k / n), 1.0, 0.1) << "K " << k << " N " << n;
      }
}

TEST(LeastSquaresRisk, SaysWhenThereAreTooFewSamples) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 8);
  EXPECT_THROW(least_squares_risk(problem_1d(), dictionary, midpoint_grid(unit_box(1), 7)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
