// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/refresh_plan.h"

#include <gtest/gtest.h>

namespace fluidsplat::learn {
namespace {

// Sides of one block, of several, of a part of one, and the longest that SOAP refreshes.
const std::vector<SideSize> kSides = {{2, 300}, {448, 128}, {128, 448}, {32, 64}, {229, 256}, {1024, 5000}, {33, 3}};

// Through all phases: a side's blocks come in order and without gaps, and with the end of a cycle all are through, so
// that two refreshes of a side never overlap.
TEST(RefreshPlan, EveryColumnOnceACycleAndInOrder) {
  const auto plan = plan_refreshes(kSides);
  ASSERT_EQ(plan.size(), kSides.size());
  std::vector<Index> done(kSides.size(), 0);
  Index steps_in_cycle = 0;
  for (Index step = 0; step < 3000; ++step) {
    for (Index i = 0; i < std::ssize(plan); ++i)
      for (const auto& block : plan[i]) {
        if (!block.is_due(step)) continue;
        ASSERT_EQ(block.begin, done[i]) << "side " << i << ", step " << step;
        done[i] = block.end;
      }
    if (++steps_in_cycle < refresh_cycle(step)) continue;
    steps_in_cycle = 0;
    for (Index i = 0; i < std::ssize(plan); ++i) {
      ASSERT_EQ(done[i], kSides[i].length) << "side " << i << ", step " << step;
      done[i] = 0;
    }
  }
}

TEST(RefreshPlan, WorkIsSpreadOverTheCycle) {
  const auto plan = plan_refreshes(std::vector<SideSize>(10, SideSize{256, 256}));
  for (Index step = 2000; step < 2040; ++step) {
    Index columns = 0;
    for (const auto& blocks : plan)
      for (const auto& block : blocks) columns += block.is_due(step) ? block.end - block.begin : 0;
    EXPECT_LE(columns, 2 * 2560 / 40) << "step " << step;
  }
}

}  // namespace
}  // namespace fluidsplat::learn
