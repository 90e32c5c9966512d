// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/binned_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace fluidsplat::calibrate {
namespace {

using uncertainty::Promise;

// Groups of scores that have something in common.
std::vector<std::vector<float>> make_groups(Index count, Index scores) {
  Random random(1);
  std::vector<std::vector<float>> out(count);
  for (auto& g : out) {
    const double size = std::exp(0.5 * random.normal());
    for (Index i = 0; i < scores; ++i) g.push_back(float(size * std::abs(random.normal())));
  }
  return out;
}

TEST(BinnedScores, AgreeWithTheTableOfTheSameGroups) {
  for (Index scores : {1, 600}) {
    const auto groups = make_groups(40, scores);
    const BinnedScores binned(groups);
    const std::vector<Index> some = {0, 3, 5, 8, 9, 12, 15, 18, 21, 24, 28, 30, 31, 33, 35, 38, 39};
    std::vector<std::vector<float>> same;
    for (Index g : some) same.push_back(groups[g]);
    const auto chosen = binned.choose(some, 1);
    const uncertainty::ScoreTable table(same, 0, 2000);
    for (double level : {0.3, 0.5, 0.8, 0.9}) {
      const double exact = table.quantile(level);
      EXPECT_NEAR(binned.score(binned.quantile(chosen, level, Promise::at_least)), exact, 0.01 * exact) << level;
      if (scores == 1) {
        // No dice: what the two thresholds hold of all groups is the same.
        const double bound = table.quantile(level, Promise::on_average);
        const auto inside = std::ranges::count_if(groups, [&](const auto& g) { return double(g[0]) <= bound; });
        std::vector<Index> all(groups.size());
        std::iota(all.begin(), all.end(), 0);
        const auto edge = binned.quantile(chosen, level, Promise::on_average);
        EXPECT_NEAR(40 * binned.share(all, edge), double(inside), 1e-4) << level;
        continue;
      }
      // Both throw dice: what their thresholds hold differs by a standard deviation of 0.008.
      const auto held = [&](double bound) {
        Index inside = 0;
        for (const auto& g : same) inside += std::ranges::count_if(g, [&](float s) { return s <= bound; });
        return double(inside) / double(std::ssize(same) * scores);
      };
      const auto edge = binned.quantile(chosen, level, Promise::on_average);
      EXPECT_NEAR(held(binned.score(edge)), held(table.quantile(level, Promise::on_average)), 0.03) << level;
      EXPECT_LT(held(binned.score(edge)), held(exact) - 0.01) << level;
    }
    EXPECT_EQ(binned.quantile(chosen, 0.95, Promise::at_least), BinnedScores::kInfinite);
    EXPECT_EQ(binned.quantile(chosen, 0.95, Promise::on_average), BinnedScores::kInfinite);
  }
}

TEST(BinnedScores, CountGroupsOnceAndKindsByScore) {
  const BinnedScores binned({{1, 2, 3, 4}, {3}}, {{0, 0, 1, 1}, {1}}, 3);
  // Both groups together: F(2) = (2 / 4 + 0) / 2 = 1 / 4, F(3) = (3 / 4 + 1) / 2 = 7 / 8; a level of 1 / 3 needs 1 / 2.
  const auto edge = binned.quantile(binned.choose({0, 1}, 1), 1.0 / 3, Promise::at_least);
  EXPECT_EQ(binned.score(edge), 3);
  EXPECT_DOUBLE_EQ(binned.share({0, 1}, edge), 7.0 / 8);
  EXPECT_DOUBLE_EQ(binned.count(0, edge).inside, 3);
  EXPECT_DOUBLE_EQ(binned.count(0, edge).all, 4);
  EXPECT_DOUBLE_EQ(binned.count_of_kind({0, 1}, 0, edge).share(), 1);
  EXPECT_DOUBLE_EQ(binned.count_of_kind({0, 1}, 1, edge).share(), 2.0 / 3);
  EXPECT_EQ(binned.count_of_kind({0, 1}, 2, edge).all, 0);
  const std::vector<std::vector<float>> none = {{std::nanf("")}};
  EXPECT_THROW(BinnedScores{none}, std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::calibrate
