// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk_curve.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "theory/analytic_fields.h"

namespace fluidsplat::theory {
namespace {

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

}  // namespace
}  // namespace fluidsplat::theory
