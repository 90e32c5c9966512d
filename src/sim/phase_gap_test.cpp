// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/phase_gap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::sim {
namespace {

const double kGolden = 0.5 * (std::sqrt(5.0) - 1);

std::vector<double> multiples(double fraction, Index count) {
  std::vector<double> phases;
  for (Index k = 0; k < count; ++k) phases.push_back(double(k) * fraction);
  return phases;
}

TEST(PhaseGap, IsOneForEvenPhasesAndZeroForARepeat) {
  EXPECT_DOUBLE_EQ(smallest_phase_gap({0.125, 0.625, 0.375, 0.875}), 1);
  EXPECT_DOUBLE_EQ(smallest_phase_gap({0.125, 0.625, 0.375, 3.625}), 0) << "whole turns do not count";
  EXPECT_NEAR(smallest_phase_gap({0.05, 0.5, 0.99}), 3 * 0.06, 1e-12) << "across the end of the turn";
  EXPECT_DOUBLE_EQ(smallest_phase_gap({0.3}), 1);
}

TEST(PhaseGap, OfMultiplesIsThatOfTheirPhases) {
  for (const double fraction : {0.116034, 0.125, 2.0 / 17, 0.0999, kGolden, 1.3})
    for (const Index count : {1, 2, 3, 8, 9, 100, 377}) {
      EXPECT_NEAR(smallest_phase_gap(fraction, 0, count), smallest_phase_gap(multiples(fraction, count)), 1e-9)
          << count << " multiples of " << fraction;
    }
}

TEST(PhaseGap, HoldsForEveryFractionWithinTheUncertainty) {
  const Index count = 300;
  const double fraction = 0.1148, uncertainty = 1e-6;
  const double promised = smallest_phase_gap(fraction, uncertainty, count);
  EXPECT_LT(promised, smallest_phase_gap(fraction, 0, count));
  for (double error = -1; error <= 1; error += 0.125)
    EXPECT_GE(smallest_phase_gap(fraction + error * uncertainty, 0, count), promised - 1e-9);
  EXPECT_LT(smallest_phase_gap(fraction, 1e-3, count), 0) << "nothing can be promised";
}

// The golden ratio is the fraction whose multiples keep apart at every length.
TEST(PhaseGap, OfAnyBeginningIsTheWorstOfAllLengths) {
  EXPECT_GT(smallest_phase_gap_of_any_beginning(kGolden, 5000), 1 / std::sqrt(5.0));
  for (const double fraction : {0.116034, 0.1001, kGolden}) {
    double worst = 1;
    for (Index count = 2; count <= 200; ++count) worst = std::min(worst, smallest_phase_gap(fraction, 0, count));
    EXPECT_NEAR(smallest_phase_gap_of_any_beginning(fraction, 200), worst, 1e-12) << fraction;
  }
}

}  // namespace
}  // namespace fluidsplat::sim
