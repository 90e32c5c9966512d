// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/target.h"

#include <gtest/gtest.h>

namespace fluidsplat::reconstruct {
namespace {

TEST(Target, PointsOutsideTheDomainAreCountedOnce) {
  const field::Box box{{0, 0, -1}, {2, 1, 1}};
  const auto t = target_from_grid({4, 3, 2}, box);
  EXPECT_EQ(share_outside(*t.mesh, box), 0);
  EXPECT_NEAR(share_outside(*t.mesh, {{0, 0, 0}, {2, 1, 1}}), 0.5, 1e-12);
  EXPECT_NEAR(share_outside(*t.mesh, {{0, 0, -1}, {1, 1, 1}}), 0.5, 1e-12);
  EXPECT_NEAR(share_outside(*t.mesh, {{0, 0, 0}, {1, 1, 1}}), 0.75, 1e-12) << "a quarter is outside in two ways";
}

}  // namespace
}  // namespace fluidsplat::reconstruct
