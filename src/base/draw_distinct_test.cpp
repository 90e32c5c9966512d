// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/draw_distinct.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

namespace fluidsplat {
namespace {

std::vector<Index> from_a_whole_list(Index n, Index count, Random random) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (Index s = 0; s < count; ++s)
    std::swap(order[std::size_t(s)], order[std::size_t(s + Index(random.below(std::uint64_t(n - s))))]);
  order.resize(std::size_t(count));
  return order;
}

TEST(DrawDistinct, IsTheBeginningOfAShuffledList) {
  for (const Index n : {1, 2, 7, 100})
    for (Index count = 0; count <= n; count += 1 + n / 9) {
      Random random(5, std::uint64_t(n));
      EXPECT_EQ(draw_distinct(n, count, random), from_a_whole_list(n, count, Random(5, std::uint64_t(n))));
    }
}

}  // namespace
}  // namespace fluidsplat
