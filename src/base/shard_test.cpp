// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/shard.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat {
namespace {

TEST(Shard, IsReadFromText) {
  const auto shard = parse_shard("2/3");
  EXPECT_EQ(shard.index, 2);
  EXPECT_EQ(shard.count, 3);
  for (const char* wrong : {"", "2", "0/2", "3/2", "1/0", "-1/2", "1/2x", "a/b", "1/"})
    EXPECT_THROW(parse_shard(wrong), Error) << wrong;
}

TEST(Shard, PartsAreTheWholeAndNeverOverlap) {
  const std::vector<int> items = {3, 1, 4, 1, 5, 9, 2};
  for (const Index count : {1, 2, 3, 9}) {
    std::vector<int> seen(items.size(), 0);
    for (Index i = 1; i <= count; ++i) {
      const Shard shard{i, count};
      std::vector<int> mine;
      for (Index k = 0; k < std::ssize(items); ++k)
        if (shard.has(k)) ++seen[std::size_t(k)], mine.push_back(items[std::size_t(k)]);
      EXPECT_EQ(shard.part_of(items), mine);
    }
    EXPECT_EQ(seen, std::vector<int>(items.size(), 1));
  }
}

}  // namespace
}  // namespace fluidsplat
