// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/shift_alarm.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

ScoreTable calibrated(Random& random, int count) {
  std::vector<std::vector<float>> groups;
  for (int i = 0; i < count; ++i) groups.push_back({float(std::exp(random.normal()))});
  return ScoreTable(groups);
}

// Blocks until the first alarm, `most` if there is none.
int run_length(Random& random, double shift, double threshold, int most) {
  ShiftAlarm test(calibrated(random, 100), 1, threshold);
  for (int i = 0; i < most; ++i)
    if (test.add(std::exp(random.normal() + shift))) return i;
  return most;
}

// The promise is on the mean; a run of `most` blocks stands for more, so that the test errs on the strict side.
TEST(ShiftAlarm, FalseOnesAreAsRareAsPromised) {
  Random random(1);
  constexpr int kRuns = 300;
  double sum = 0;
  for (int run = 0; run < kRuns; ++run) sum += run_length(random, 0, 200, 3000);
  EXPECT_GT(sum / kRuns, 200);
}

TEST(ShiftAlarm, FiresSoonAfterAShift) {
  Random random(2);
  double sum = 0;
  for (int run = 0; run < 50; ++run) sum += run_length(random, 4, 1e4, 1000);
  EXPECT_LT(sum / 50, 25);
}

// After a long time without one, too: a plain product of bets would have lost all it had.
TEST(ShiftAlarm, AQuietPastIsNoDebt) {
  Random random(3);
  ShiftAlarm test(calibrated(random, 100), 1, 1e4);
  for (int i = 0; i < 2000; ++i) test.add(std::exp(random.normal()));
  ASSERT_FALSE(test.fired());
  int rows = 0;
  while (!test.add(std::exp(random.normal() + 4)) && rows < 1000) ++rows;
  EXPECT_LT(rows, 15);
}

TEST(ShiftAlarm, BetsOnceABlock) {
  Random random(4);
  ShiftAlarm test(calibrated(random, 50), 10, 1e4);
  for (int i = 0; i < 9; ++i) test.add(1e6);
  EXPECT_EQ(test.statistic(), 0);
  test.add(1e6);
  EXPECT_GT(test.statistic(), 1);
}

// Equal scores, as when nothing ever differs, are no reason for an alarm.
TEST(ShiftAlarm, TiesAreBrokenFairly) {
  ShiftAlarm test(ScoreTable(std::vector<std::vector<float>>(20, {1.0f})), 1, 1e4);
  for (int i = 0; i < 2000; ++i) test.add(1.0);
  EXPECT_FALSE(test.fired());
}

}  // namespace
}  // namespace fluidsplat::uncertainty
