// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/shard.h"

#include <gtest/gtest.h>

#include <set>

#include "baselines/register.h"

namespace fluidsplat::reproduce {
namespace {

TEST(Shard, PartsAreThePlanAndNeverOverlap) {
  baselines::register_baselines();
  const auto runs = plan({.tables = {"cylinder", "car", "k-sweep"}, .seeds = 2});
  for (const Index count : {1, 2, 3, 7}) {
    std::set<std::string> seen;
    Index smallest = std::ssize(runs), largest = 0;
    for (Index i = 1; i <= count; ++i) {
      const auto part = part_of(runs, {i, count});
      Index networks = 0;
      for (const auto& run : part) {
        EXPECT_TRUE(seen.insert(run.subject.benchmark + run.name()).second) << run.name() << " is in two parts";
        networks += !run.is_classical;
      }
      smallest = std::min(smallest, networks);
      largest = std::max(largest, networks);
    }
    EXPECT_EQ(seen.size(), runs.size()) << count << " parts";
    EXPECT_LE(largest - smallest, 1);
  }
}

}  // namespace
}  // namespace fluidsplat::reproduce
