// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/greedy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "theory/analytic_fields.h"
#include "theory/least_squares.h"

namespace fluidsplat::theory {
namespace {

TEST(Greedy, FindsAGaussianThatIsOnOffer) {
  const Points points = midpoint_grid(unit_box(2), 20);
  const GaussianDictionary truth{points.row(137), Vector::Constant(1, 0.5 * 0.95 / 8)};
  GreedySettings settings;
  settings.count = 3;
  const GreedyFit fit = fit_greedy(points, -2.5 * observation_matrix(truth, points).col(0), settings);
  ASSERT_EQ(fit.chosen.size(), 1);
  EXPECT_TRUE(fit.chosen.centres.isApprox(truth.centres));
  EXPECT_NEAR(fit.chosen.scales[0], truth.scales[0], 1e-12);
  EXPECT_NEAR(fit.coefficients[0], -2.5, 1e-9);
  EXPECT_LT(fit.relative_errors[0], 1e-9);
}

TEST(Greedy, CoefficientsGiveTheErrorItReportsAndErrorsFall) {
  const Points points = midpoint_grid(unit_box(2), 24);
  const Vector values = random_series(2, 1.5, 8, 3).at(points);
  GreedySettings settings;
  settings.count = 40;
  const GreedyFit fit = fit_greedy(points, values, settings);
  const Vector estimate = observation_matrix(fit.chosen, points) * fit.coefficients;
  EXPECT_NEAR(relative_l2(estimate, values), fit.relative_errors.back(), 1e-8);
  for (std::size_t k = 1; k < fit.relative_errors.size(); ++k)
    EXPECT_LE(fit.relative_errors[k], fit.relative_errors[k - 1] + 1e-14);
  // No choice of coefficients for the same Gaussians is better.
  EXPECT_NEAR(fit_least_squares(fit.chosen, points, values).relative_errors[0], fit.relative_errors.back(), 1e-6);
}

// A point singularity is rough in one place only: adaptive centres and scales must beat the rate K^{-s/d} = K^{-1} that
// fixed quasi-uniform centres have.
TEST(Greedy, AdaptsToAPointSingularity) {
  const Points points = midpoint_grid(unit_box(1), 2048);
  const Vector values = point_singularity(1, 0.5, 1).at(points);
  GreedySettings settings;
  settings.count = 64;
  settings.scales = 11;
  const GreedyFit fit = fit_greedy(points, values, settings);
  const double fixed = fit_least_squares(quasi_uniform_dictionary(unit_box(1), 64), points, values).relative_errors[0];
  EXPECT_LT(fit.relative_errors.back(), 0.2 * fixed);
}

TEST(Greedy, RefusesValuesThatDoNotFitThePoints) {
  EXPECT_THROW(fit_greedy(Points::Random(5, 2), Vector::Zero(4)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
