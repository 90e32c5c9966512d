// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fluidsplat {
namespace {

TEST(Random, IsAFunctionOfItsKey) {
  Random a(1, 2, 3), b(1, 2, 3), other_seed(2, 2, 3), other_a(1, 3, 3), other_b(1, 2, 4);
  const auto first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, other_seed.bits());
  EXPECT_NE(first, other_a.bits());
  EXPECT_NE(first, other_b.bits());
}

TEST(Random, MomentsOfUniformAndNormal) {
  Random r(7);
  constexpr int kN = 200000;
  double mean = 0, normal_mean = 0, normal_square = 0;
  for (int i = 0; i < kN; ++i) {
    const double u = r.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    mean += u;
    const double n = r.normal();
    normal_mean += n;
    normal_square += n * n;
  }
  EXPECT_NEAR(mean / kN, 0.5, 0.005);
  EXPECT_NEAR(normal_mean / kN, 0, 0.01);
  EXPECT_NEAR(normal_square / kN, 1, 0.02);
}

TEST(Random, BelowStaysInRangeAndReachesEveryValue) {
  Random r(3);
  std::vector<int> counts(7);
  for (int i = 0; i < 7000; ++i) ++counts[r.below(7)];
  EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 800);
}

TEST(Random, ShuffleKeepsTheElements) {
  std::vector<int> v(50);
  for (int i = 0; i < 50; ++i) v[i] = i;
  auto shuffled = v;
  Random(5).shuffle(shuffled);
  EXPECT_NE(shuffled, v);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, v);
}

}  // namespace
}  // namespace fluidsplat
