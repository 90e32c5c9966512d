// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/points.h"

#include <gtest/gtest.h>

namespace fluidsplat::theory {
namespace {

TEST(Points, GridsFillTheBoxLastAxisFastest) {
  Box box{Vector(2), Vector(2)};
  box.low << -1, 0;
  box.high << 1, 3;
  const Points grid = midpoint_grid(box, 2);
  Points expected(4, 2);
  expected << -0.5, 0.75, -0.5, 2.25, 0.5, 0.75, 0.5, 2.25;
  EXPECT_TRUE(grid.isApprox(expected));
  EXPECT_DOUBLE_EQ(box.volume(), 6);
  Random random(1);
  const Points spread = stratified_points(box, 2, random);
  EXPECT_LT((spread - grid).col(0).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_LT((spread - grid).col(1).cwiseAbs().maxCoeff(), 0.75);
}

}  // namespace
}  // namespace fluidsplat::theory
