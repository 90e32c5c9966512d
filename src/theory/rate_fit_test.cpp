// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_fit.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::theory {
namespace {

TEST(StudentT, HasItsClosedForms) {
  for (double t : {-3.0, -0.4, 0.0, 0.7, 2.5, 40.0}) {
    EXPECT_NEAR(student_t_probability(t, 1), 0.5 + std::atan(t) / std::numbers::pi, 1e-13);
    EXPECT_NEAR(student_t_probability(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-13);
    EXPECT_NEAR(student_t_probability(t, 1e7), 0.5 * std::erfc(-t / std::sqrt(2.0)), 1e-7);
  }
}

TEST(StudentT, GivesTheTabulatedHalfWidths) {
  EXPECT_NEAR(student_t_half_width(0.95, 1), 12.706, 1e-3);
  EXPECT_NEAR(student_t_half_width(0.95, 8), 2.306, 1e-3);
  EXPECT_NEAR(student_t_half_width(0.99, 5), 4.032, 1e-3);
}

TEST(RateFit, RecoversAPowerLaw) {
  std::vector<double> counts, errors;
  for (double k = 16; k < 10000; k *= 2) {
    counts.push_back(k);
    errors.push_back(3 * std::pow(k, -0.75));
  }
  const RateFit fit = fit_rate(counts, errors);
  EXPECT_NEAR(fit.exponent, -0.75, 1e-12);
  EXPECT_NEAR(fit.at(100), 3 * std::pow(100, -0.75), 1e-12);
  EXPECT_NEAR(fit.r_squared, 1, 1e-12);
  EXPECT_NEAR(fit.high, fit.low, 1e-6);
}

TEST(RateFit, IntervalCoversTheTruthAsOftenAsItSays) {
  int covered = 0;
  const int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    Random random(42, trial);
    std::vector<double> counts, errors;
    for (double k = 16; k < 600; k *= 2) {
      counts.push_back(k);
      errors.push_back(std::pow(k, -0.5) * std::exp(0.1 * random.normal()));
    }
    covered += fit_rate(counts, errors).covers(-0.5);
  }
  // Binomial(2000, 0.95): standard deviation 0.0049.
  EXPECT_NEAR(double(covered) / trials, 0.95, 0.02);
}

TEST(RateFit, TwoPointsHaveNoInterval) {
  const double counts[] = {1, 2}, errors[] = {1, 0.5};
  const RateFit fit = fit_rate(counts, errors);
  EXPECT_DOUBLE_EQ(fit.exponent, -1);
  EXPECT_TRUE(std::isinf(fit.high));
}

TEST(RateFit, RefusesWhatHasNoLogarithm) {
  const double counts[] = {1, 2, 4}, zero[] = {1, 0, 1}, nan[] = {1, std::nan(""), 1}, same[] = {2, 2, 2};
  EXPECT_THROW(fit_rate(counts, zero), Error);
  EXPECT_THROW(fit_rate(counts, nan), Error);
  EXPECT_THROW(fit_rate(same, counts), Error);
  EXPECT_THROW(fit_rate({}, {}), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::theory
