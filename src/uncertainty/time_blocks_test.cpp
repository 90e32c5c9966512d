// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/time_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

TEST(BlockLength, IsOneForIndependentNumbers) {
  Random random(1);
  std::vector<double> x(400);
  for (double& v : x) v = random.normal();
  EXPECT_EQ(block_length(x), 1);
  EXPECT_EQ(block_length(std::vector<double>(50, 3.0)), 1);
  EXPECT_EQ(block_length({}), 1);
}

TEST(BlockLength, IsThePeriodOfWhatComesBack) {
  Random random(2);
  std::vector<double> x(400);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(2 * std::numbers::pi * double(i) / 9) + 0.2 * random.normal();
  EXPECT_EQ(block_length(x), 9);
}

// Frames that trained are missing among those that calibrate: a third here.
TEST(BlockLength, SeesThePeriodThroughMissingFrames) {
  Random random(4);
  std::vector<double> x(300);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = random.uniform() < 1.0 / 3 ? NAN : std::sin(2 * std::numbers::pi * double(i) / 9) + 0.5 * random.normal();
  EXPECT_EQ(block_length(x), 9);
  EXPECT_EQ(block_length(std::vector<double>(50, NAN)), 1);
}

TEST(BlockLength, GrowsWithTheTimeThatIsRemembered) {
  const auto of = [](double memory) {
    Random random(3);
    std::vector<double> x(2000);
    double last = 0;
    for (double& v : x) v = last = memory * last + random.normal();
    return block_length(x);
  };
  // Of a sequence with memory a the integral is (1 + a) / (1 - a): 3 and 19.
  EXPECT_NEAR(double(of(0.5)), 6, 2);
  EXPECT_NEAR(double(of(0.9)), 38, 16);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
