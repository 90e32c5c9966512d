// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk.h"

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

RiskCurve curve_1d(double power, const std::vector<int>& counts) {
  const RiskProblem problem = make_risk_problem(
      unit_box(1), 1500, [=](const Points& points) { return point_singularity(1, power, 4).at(points); });
  Random random(3);
  return risk_curve(problem, stratified_points(unit_box(1), 1200, random), counts);
}

// s = 1 in 1-D: bias^2 ~ K^-2, and the best count grows as (N/sigma^2)^{1/3}.
TEST(RiskCurve, IsUShapedAndItsMinimumScalesAsTheTheorySays) {
  const RiskCurve curve = curve_1d(0.5, {8, 11, 16, 23, 32, 45, 64, 91, 128});
  EXPECT_NEAR(curve.bias_fit.exponent, -2, 0.3);
  const double sigma = 0.04;
  const double lowest = curve.minimiser(sigma);
  EXPECT_GT(lowest, 8);
  EXPECT_LT(lowest, 128);
  EXPECT_GT(curve.terms.front().risk(sigma), 2 * curve.terms[4].risk(sigma));
  EXPECT_GT(curve.terms.back().risk(sigma), 2 * curve.terms[4].risk(sigma));
  EXPECT_NEAR(std::log(curve.predicted_minimiser(sigma) / lowest), 0, std::log(1.5));
  const RateFit scaling = minimiser_scaling(curve, {0.01, 0.02, 0.04, 0.08, 0.16});
  EXPECT_NEAR(scaling.exponent, 1.0 / 3, 0.08);
}

TEST(RiskCurve, SmootherFieldsNeedFewerGaussians) {
  const std::vector<int> counts = {4, 6, 8, 11, 16, 23, 32, 45, 64};
  const RiskCurve rough = curve_1d(0.5, counts), smooth = curve_1d(1.5, counts);
  EXPECT_LT(smooth.minimiser(0.05), rough.minimiser(0.05));
}

TEST(RiskCurve, TheEndOfTheTableIsReportedAsIs) {
  const RiskCurve curve = curve_1d(0.5, {4, 8, 16});
  EXPECT_EQ(curve.minimiser(1e-6), 16);
  EXPECT_EQ(curve.minimiser(1e3), 4);
  EXPECT_THROW(curve_1d(0.5, {4, 8}), Error);
}

TEST(RiskStudy, MinimumLiesWhereTheTheoryPutsIt) {
  const RiskStudy study = study_risk();
  EXPECT_NEAR(study.expected_scaling, 1.0 / 3, 1e-12);
  EXPECT_NEAR(study.scaling.exponent, study.expected_scaling, 0.1);
  const double sigma = study.settings.noise;
  EXPECT_NEAR(study.curve.predicted_minimiser(sigma) / study.curve.minimiser(sigma), 1, 0.4);
  for (const RiskTerms& terms : study.curve.terms) EXPECT_LE(terms.risk(sigma), terms.bound(sigma));
}

TEST(RiskStudy, FewSamplesShortenTheTable) {
  RiskStudySettings settings;
  settings.samples = 100;
  const RiskStudy study = study_risk(settings);
  EXPECT_EQ(study.curve.terms.back().primitives, 23);
  settings.samples = 30;
  EXPECT_THROW(study_risk(settings), Error);
  settings.dimension = 4;
  EXPECT_THROW(study_risk(settings), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
