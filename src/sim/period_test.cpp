// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/period.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace fluidsplat::sim {
namespace {

// Crossings of a flow that comes to its limit cycle: the period is `begin` too short at first, each cycle removes
// 1 - `rest` of that, and each crossing is seen with some noise.
std::vector<double> settling(double period, double begin, double rest, double noise, int count, Random& random) {
  std::vector<double> seen;
  double time = 100, error = begin;
  for (int k = 0; k < count; ++k) {
    seen.push_back(time + noise * random.normal());
    time += period - error;
    error *= rest;
  }
  return seen;
}

TEST(Period, IsExactForEqualCycles) {
  const std::vector<double> crossings = {3, 9.5, 16, 22.5, 29, 35.5};
  EXPECT_NEAR(measure_period(crossings).length, 6.5, 1e-12);
  EXPECT_LT(measure_period(crossings).uncertainty, 1e-9);
}

TEST(Period, IsUnknownFromFewerThanFiveCrossings) {
  EXPECT_TRUE(std::isinf(measure_period({}).uncertainty));
  EXPECT_TRUE(std::isinf(measure_period(std::vector{1.0}).uncertainty));
  const Period four = measure_period(std::vector{1.0, 3.0, 5.0, 7.0});
  EXPECT_DOUBLE_EQ(four.length, 2);
  EXPECT_TRUE(std::isinf(four.uncertainty));
}

// In the built-in wakes the distance from the limit cycle falls to 0.45 with each cycle, and the noise is 3e-7 periods.
TEST(Period, TruthLiesWithinTheUncertaintyWhileAFlowSettlesAndAfter) {
  Random random(5);
  int outside = 0, tried = 0;
  for (int repeat = 0; repeat < 50; ++repeat)
    for (int count = 5; count <= 60; ++count) {
      const Period p = measure_period(settling(975.5731, 0.1, 0.45, 3e-4, count, random));
      outside += std::abs(p.length - 975.5731) > p.uncertainty;
      ++tried;
    }
  EXPECT_LT(outside, 0.02 * tried);
}

TEST(Period, MoreCyclesMakeItSharper) {
  Random random(5);
  double last = 1;
  for (const int count : {8, 16, 32, 64, 128}) {
    double mean = 0;
    for (int repeat = 0; repeat < 20; ++repeat)
      mean += measure_period(settling(975.5731, 0.1, 0.45, 3e-4, count, random)).uncertainty / 20;
    EXPECT_LT(mean, 0.6 * last) << count;
    last = mean;
  }
  EXPECT_LT(last, 1e-5);
}

}  // namespace
}  // namespace fluidsplat::sim
