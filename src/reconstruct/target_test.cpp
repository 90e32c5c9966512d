// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/target.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Target, APlaneGridHas256PointsAlongItsLongestSide) {
  EXPECT_EQ(default_grid({{0, 0}, {2, 1}}, 100), (std::vector<Index>{256, 129}));
  EXPECT_EQ(default_grid({{-1, 0}, {0, 5}}, 1'000'000), (std::vector<Index>{52, 256}));
}

// About as many points as in training, whatever the shape of the box, and cubes between them.
TEST(Target, AGridInSpaceSuitsTheTrainingMesh) {
  const auto points = [](const std::vector<Index>& n) { return double(n[0]) * double(n[1]) * double(n[2]); };
  for (const field::Box& box : {field::Box{{0, 0, 0}, {1, 1, 1}}, field::Box{{-2, 0, 0}, {4, 1, 2}},
                                field::Box{{0, 0, 0}, {100, 1, 1}}, field::Box{{0, 0, 0}, {1, 0.02, 1}}})
    for (const double trained : {20'000.0, 262'144.0, 2'000'000.0}) {
      const auto grid = default_grid(box, Index(trained));
      EXPECT_LE(points(grid), trained);
      EXPECT_GE(points(grid), 0.7 * trained) << box.high[0] << " " << box.high[1];
      double longest = 0;
      for (std::size_t a = 0; a < 3; ++a) longest = std::max(longest, box.high[a] - box.low[a]);
      const double step = longest / double(*std::max_element(grid.begin(), grid.end()) - 1);
      for (std::size_t a = 0; a < 3; ++a)
        EXPECT_NEAR(double(grid[a] - 1) * step, box.high[a] - box.low[a], 0.51 * step) << "axis " << a;
    }
  const field::Box cube{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(default_grid(cube, 10), default_grid(cube, 20'000)) << "a few hundred points would show nothing";
  EXPECT_EQ(default_grid(cube, 1'000'000'000), default_grid(cube, 2'000'000)) << "files that a desktop opens";
}

}  // namespace
}  // namespace fluidsplat::reconstruct
