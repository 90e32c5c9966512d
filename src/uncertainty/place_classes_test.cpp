// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/place_classes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/random.h"
#include "uncertainty/conformal.h"

namespace fluidsplat::uncertainty {
namespace {

model::Matrix square_of(Index side) {
  model::Matrix out(side * side, 2);
  for (Index i = 0; i < out.rows(); ++i) out.row(i) << float(i % side), float(i / side);
  return out;
}

TEST(PlaceClasses, AreThoseOfTheNearestPlace) {
  const auto places = square_of(5);
  std::vector<PlaceClasses::Class> numbers;
  for (Index i = 0; i < 25; ++i) numbers.push_back(PlaceClasses::Class(i % 5 < 2 ? 0 : i / 5 < 2 ? 1 : 2));
  const PlaceClasses classes(places, numbers, "left, low, high");
  EXPECT_EQ(classes.count(), 3);
  EXPECT_EQ(classes.at(places, {}), numbers);
  model::Matrix asked(4, 2);
  asked << 1.4f, 3, 1.6f, 1.4f, 3, 1.6f, -9, 9;
  EXPECT_EQ(classes.at(asked, {}), (std::vector<PlaceClasses::Class>{0, 1, 2, 0}));
  // Two of them as one.
  const auto joined = classes.renumbered({0, 1, 1});
  EXPECT_EQ(joined.count(), 2);
  EXPECT_EQ(joined.at(asked, {}), (std::vector<PlaceClasses::Class>{0, 1, 1, 0}));
  EXPECT_EQ(classes.count(), 3);
  EXPECT_THROW(PlaceClasses(places, {0, 1}, ""), std::logic_error);
}

// A wall that moves: the feature says who is near it, wherever that is; places say the rest.
TEST(PlaceClasses, NearAWallAreThoseOfTheFeature) {
  const auto places = square_of(2);
  const PlaceClasses::NearWall near_wall{.feature = 1, .columns = 2, .edges = {0.1f, 0.5f}, .classes = {0, 1}};
  const PlaceClasses classes(places, {2, 2, 3, 3}, near_wall, "near, low, high");
  EXPECT_EQ(classes.count(), 4);
  model::Matrix asked(5, 2), features(5, 2);
  asked << 0, 0, 0, 0, 0, 0, 1, 1, 1, 1;
  features << 9, 0, 0, 0.1f, 0, 0.5f, 0, 0.6f, 0, -1;
  EXPECT_EQ(classes.at(asked, features), (std::vector<PlaceClasses::Class>{0, 1, 2, 3, 0}));
  const auto joined = classes.renumbered({0, 0, 1, 1});
  EXPECT_EQ(joined.count(), 2);
  EXPECT_EQ(joined.at(asked, features), (std::vector<PlaceClasses::Class>{0, 0, 1, 1, 0}));
  EXPECT_THROW(classes.at(asked, {}), std::logic_error);
  EXPECT_THROW(PlaceClasses(places, {0, 0, 1, 1}, {.feature = 2, .columns = 2, .edges = {1}, .classes = {0}}, ""),
               std::logic_error);
}

TEST(PlaceClasses, ThereIsOneWherePlacesAreNotToldApart) {
  const PlaceClasses classes;
  EXPECT_EQ(classes.count(), 1);
  EXPECT_EQ(classes.at(square_of(2), {}), std::vector<PlaceClasses::Class>(4, 0));
}

// Errors of a known law: twice as large in the second of two classes as the scale says, and a case's points go
// together.  One threshold holds 90 % on the whole and far from that in each class; one for each holds 90 % in each.
// A quantile of n in place of n + 1 would hold 0.9 n / (n + 1).
TEST(PlaceClasses, AThresholdForEachHoldsTheLevelInEach) {
  constexpr Index kCases = 19, kPoints = 20, kTrials = 4000;
  Random random(5);
  double one[2] = {}, own[2] = {};
  for (Index t = 0; t < kTrials; ++t) {
    std::vector<std::vector<float>> all, of[2];
    const auto draw = [&](std::vector<float>& into, double size, int k) {
      for (Index i = 0; i < kPoints; ++i) into.push_back(float((1 + k) * size * std::abs(random.normal())));
    };
    const auto size = [&] { return std::exp(0.3 * random.normal()); };
    for (Index n = 0; n < kCases; ++n) {
      const double s = size();
      all.emplace_back();
      for (int k : {0, 1}) {
        draw(of[k].emplace_back(), s, k);
        all.back().insert(all.back().end(), of[k].back().begin(), of[k].back().end());
      }
    }
    const double threshold = ScoreTable(all).quantile(0.9), next = size();
    for (int k : {0, 1}) {
      const double threshold_here = ScoreTable(of[k]).quantile(0.9);
      std::vector<float> judged;
      draw(judged, next, k);
      for (float e : judged) {
        one[k] += double(e <= threshold) / (kTrials * kPoints);
        own[k] += double(e <= threshold_here) / (kTrials * kPoints);
      }
    }
  }
  EXPECT_GT(one[0], 0.97);
  EXPECT_LT(one[1], 0.91);
  for (double share : own) {
    EXPECT_GT(share, 0.9 + 0.005);                      // with n: 0.9, give or take 0.003
    EXPECT_LT(share, 0.9 + 1.0 / (kCases + 1) + 0.01);  // and no more than few groups cost
  }
}

}  // namespace
}  // namespace fluidsplat::uncertainty
