// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/conformal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

using Groups = std::vector<std::vector<float>>;

// Errors of a known law that no one would guess: skewed and with a heavy tail.
float heavy(Random& random) {
  return float(std::exp(1.5 * random.normal()) - 1);
}

TEST(ScoreTable, IsTheTextbooksQuantileForSingleScores) {
  // 9 scores: the 90 % quantile is the ceil(10 * 0.9) = 9th, the 80 % one the 8th; 95 % cannot be promised.
  Groups groups;
  for (int i = 9; i >= 1; --i) groups.push_back({float(i)});
  const ScoreTable table(groups);
  EXPECT_EQ(table.quantile(0.9), 9);
  EXPECT_EQ(table.quantile(0.8), 8);
  EXPECT_EQ(table.quantile(0.81), 9);
  EXPECT_EQ(table.quantile(0.05), 1);
  EXPECT_EQ(table.quantile(0.95), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(table.highest_level(), 0.9);
}

// Coverage over many calibrations and next cases lies between the level and the level plus 1 / (n + 1).  With ten
// cases, n in place of n + 1 covers 9 of 11 where 0.9 is promised, 38 standard errors too few.
TEST(ScoreTable, CoversAsPromisedOnAverage) {
  constexpr int kTrials = 20000, kCases = 10;
  Random random(1);
  for (double level : {0.5, 0.8, 0.9}) {
    int inside = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Groups groups(kCases);
      for (auto& g : groups) g = {heavy(random)};
      inside += heavy(random) <= ScoreTable(groups).quantile(level);
    }
    EXPECT_GE(double(inside) / kTrials, level - 0.01) << level;
    EXPECT_LE(double(inside) / kTrials, level + 1.0 / (kCases + 1) + 0.01) << level;
  }
}

// A group's scores share much of their error, and groups differ in size: as the points of a case do.
std::vector<float> dependent_group(Random& random) {
  const float common = heavy(random);
  std::vector<float> out(1 + random.below(30));
  for (float& s : out) s = common + 0.3f * float(random.normal());
  return out;
}

TEST(ScoreTable, CountsAGroupOnceHoweverManyScoresItHas) {
  constexpr int kTrials = 20000, kGroups = 19;
  Random random(2);
  for (Index most : {0, 100}) {
    double inside = 0, naive = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Groups groups;
      Index scores = 0;
      for (int g = 0; g < kGroups; ++g) groups.push_back(dependent_group(random)), scores += std::ssize(groups.back());
      const ScoreTable table(groups, most);
      Groups singles;
      for (const auto& g : groups)
        for (float s : g) singles.push_back({s});
      const auto next = dependent_group(random);
      const float score = next[random.below(next.size())];
      inside += score <= table.quantile(0.9);
      naive += most == 0 && score <= ScoreTable(singles).quantile(0.9);
    }
    EXPECT_GE(inside / kTrials, 0.9 - 0.006) << most;
    EXPECT_LE(inside / kTrials, 0.96) << most;
    // Scores taken for cases of their own promise what they do not hold.
    if (most == 0) {
      EXPECT_LT(naive / kTrials, 0.885);
    }
  }
}

// Scores of a group that have much, something or nothing in common: the level and no more, from nine groups on.  The
// textbook's promise covers 0.94 to 1.00 here.
TEST(ScoreTable, HoldsItsLevelOnAverageIfThatIsAskedFor) {
  constexpr int kTrials = 1500, kScores = 60;
  constexpr double kLevel = 0.9;
  Random random(7);
  for (int count : {9, 16})
    for (double common : {0.0, 0.5, 1.2}) {
      const auto make = [&] {
        const double size = std::exp(common * random.normal());
        std::vector<float> out(kScores);
        for (float& s : out) s = float(size * std::abs(random.normal()));
        return out;
      };
      double on_average = 0, at_least = 0;
      for (int trial = 0; trial < kTrials; ++trial) {
        Groups groups;
        for (int g = 0; g < count; ++g) groups.push_back(make());
        const ScoreTable table(groups, 0, 60);
        const auto next = make();
        const auto share = [&](double bound) {
          return double(std::ranges::count_if(next, [&](float s) { return s <= bound; })) / kScores;
        };
        on_average += share(table.quantile(kLevel, Promise::on_average)) / kTrials;
        at_least += share(table.quantile(kLevel)) / kTrials;
      }
      EXPECT_NEAR(on_average, kLevel, 0.015) << count << " " << common;
      EXPECT_GT(at_least, on_average + 0.02) << count << " " << common;
    }
}

TEST(ScoreTable, OnAverageIsBetweenNeighboursForSingleScores) {
  Groups groups;
  for (int i = 1; i <= 9; ++i) groups.push_back({float(i)});
  const ScoreTable table(groups);
  EXPECT_NEAR(table.quantile(0.8, Promise::on_average), 8, 1e-5);
  EXPECT_NEAR(table.quantile(0.85, Promise::on_average), 8.5, 1e-5);
  EXPECT_NEAR(table.quantile(0.9, Promise::on_average), 9, 1e-5);
  EXPECT_EQ(table.quantile(0.91, Promise::on_average), std::numeric_limits<double>::infinity());
  const ScoreTable unknown(Groups{{1, 2}, {3}});
  EXPECT_FALSE(unknown.knows_average());
  EXPECT_THROW(unknown.quantile(0.5, Promise::on_average), std::logic_error);
}

TEST(ScoreTable, FewKeptEntriesRoundUp) {
  Random random(3);
  Groups groups(50);
  for (auto& g : groups)
    for (int i = 0; i < 400; ++i) g.push_back(heavy(random));
  const ScoreTable all(groups), few(groups, 200);
  EXPECT_LE(std::ssize(few.scores()), 201);
  for (double level = 0.01; level < 0.98; level += 0.01) {
    EXPECT_GE(few.quantile(level), all.quantile(level)) << level;
    EXPECT_LE(few.quantile(level), all.quantile(level + 0.011)) << level;
  }
  for (double score : {-0.9, -0.3, 0.0, 0.5, 3.0, 20.0, 1e6})
    EXPECT_GE(few.p_value(score), all.p_value(score)) << score;
}

// So many scores that one of them is less than rounding.
TEST(ScoreTable, KeptLevelsRiseToOne) {
  Random random(6);
  Groups groups(3);
  for (auto& g : groups)
    for (int i = 0; i < 700000; ++i) g.push_back(heavy(random));
  const ScoreTable table(groups, 1000);
  EXPECT_GT(std::ssize(table.levels()), 990);
  EXPECT_EQ(table.levels().back(), 1);
  for (std::size_t i = 1; i < table.levels().size(); ++i) {
    ASSERT_GT(table.levels()[i], table.levels()[i - 1]);
    ASSERT_GT(table.scores()[i], table.scores()[i - 1]);
  }
}

TEST(ScoreTable, SurvivesBeingStored) {
  const ScoreTable a(Groups{{3, 1}, {2}, {5, 5, 4}});
  const ScoreTable b(a.groups(), a.levels(), a.scores());
  const ScoreTable c(Groups{{3, 1}, {2}, {5, 5, 4}}, 0, 9), d(c.groups(), c.levels(), c.scores(), c.holds());
  for (double level : {0.1, 0.4, 0.75})
    EXPECT_EQ(c.quantile(level, Promise::on_average), d.quantile(level, Promise::on_average)) << level;
  for (double level : {0.1, 0.4, 0.5, 0.74, 0.75}) EXPECT_EQ(a.quantile(level), b.quantile(level)) << level;
  EXPECT_EQ(b.quantile(0.76), std::numeric_limits<double>::infinity());
}

TEST(ScoreTable, PValuesAreRarelySmall) {
  constexpr int kTrials = 20000;
  Random random(4);
  std::vector<double> p;
  for (int trial = 0; trial < kTrials; ++trial) {
    Groups groups(19);
    for (auto& g : groups) g = {heavy(random)};
    p.push_back(ScoreTable(groups).p_value(heavy(random)));
  }
  for (double level : {0.05, 0.1, 0.5})
    EXPECT_NEAR(double(std::ranges::count_if(p, [&](double v) { return v <= level + 1e-9; })) / kTrials, level, 0.012)
        << level;
  EXPECT_NEAR(*std::ranges::min_element(p), 0.05, 1e-9);
}

TEST(ScoreTable, RefusesWhatIsNoScore) {
  EXPECT_THROW(ScoreTable(Groups{{1}, {}}), std::logic_error);
  EXPECT_THROW(ScoreTable(Groups{{std::nanf("")}}), std::logic_error);
}

TEST(SignedTables, OneSideNeedsLessThanBoth) {
  constexpr int kTrials = 20000;
  Random random(5);
  int both = 0, up = 0, down = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Groups groups(39);
    for (auto& g : groups) g = {heavy(random)};
    const SignedTables tables(groups);
    const float error = heavy(random);  // truth - said
    const auto two = tables.margins(0.9, Side::both), above = tables.margins(0.9, Side::upper),
               below = tables.margins(0.9, Side::lower);
    both += error <= two.up && error >= -two.down;
    up += error <= above.up;
    down += error >= -below.down;
    EXPECT_EQ(above.down, std::numeric_limits<double>::infinity());
    EXPECT_EQ(below.up, std::numeric_limits<double>::infinity());
  }
  EXPECT_NEAR(double(both) / kTrials, 0.9, 0.01);
  EXPECT_NEAR(double(up) / kTrials, 0.9, 0.01);
  EXPECT_NEAR(double(down) / kTrials, 0.9, 0.01);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
