// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_splits.h"

#include <gtest/gtest.h>

#include <set>

namespace fluidsplat::benchmarks {
namespace {

std::vector<Index> tens(Index cases) {
  std::vector<Index> obstacle;
  for (Index i = 0; i < cases; ++i) obstacle.push_back(i / 10);
  return obstacle;
}

TEST(Ldc3dSplits, AThousandCasesAreSplitAsPublished) {
  const auto splits = ldc3d_splits(tens(1000));
  const auto& paper = splits.at("paper");
  EXPECT_EQ(paper.train.size(), 700u);
  EXPECT_EQ(paper.validation.size(), 100u);
  EXPECT_EQ(paper.test.size(), 200u);
  std::set<Index> all(paper.train.begin(), paper.train.end());
  all.insert(paper.validation.begin(), paper.validation.end());
  all.insert(paper.test.begin(), paper.test.end());
  EXPECT_EQ(all.size(), 1000u);
  EXPECT_EQ(ldc3d_splits(tens(1000)).at("paper").test, paper.test) << "frozen";
}

TEST(Ldc3dSplits, NoObstacleIsInTwoPartsOfObstacles) {
  for (const Index cases : {160, 155, 1000}) {
    const auto obstacle = tens(cases);
    const auto split = ldc3d_splits(obstacle).at("obstacles");
    EXPECT_EQ(std::ssize(split.train) + std::ssize(split.validation) + std::ssize(split.test), cases);
    EXPECT_NE(obstacle[split.train.back()], obstacle[split.validation.front()]);
    EXPECT_NE(obstacle[split.validation.back()], obstacle[split.test.front()]);
    EXPECT_NEAR(double(split.train.size()), 0.7 * double(cases), 10);
  }
  EXPECT_FALSE(ldc3d_splits(tens(20)).contains("obstacles")) << "two obstacles are too few for three parts";
  EXPECT_FALSE(ldc3d_splits(std::vector<Index>(30, 0)).contains("obstacles"));
  EXPECT_EQ(ldc3d_splits(tens(3)).at("paper").test.size(), 1u);
  EXPECT_TRUE(ldc3d_splits(tens(2)).empty());
}

}  // namespace
}  // namespace fluidsplat::benchmarks
