// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/local_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

TEST(LocalScale, IsExactAtItsPlacesAndPositiveEverywhere) {
  Random random(1);
  model::Matrix places(200, 2), logs(200, 1);
  for (Index i = 0; i < 200; ++i) {
    places(i, 0) = float(random.uniform());
    places(i, 1) = float(random.uniform());
    logs(i, 0) = float(random.uniform(-8, 2));  // six orders of magnitude: interpolated plainly, some would be negative
  }
  const LocalScale scale(places, logs);
  const auto own = scale.at(places);
  for (Index i = 0; i < 200; ++i) EXPECT_NEAR(own(i, 0), std::exp(logs(i, 0)), 1e-5 * std::exp(logs(i, 0)));
  for (int i = 0; i < 1000; ++i) {
    const float x[] = {float(random.uniform(-2, 3)), float(random.uniform(-2, 3))};
    float s = 0;
    scale.evaluate(x, 1, &s);
    EXPECT_GE(s, std::exp(-8.001f));
    EXPECT_LE(s, std::exp(2.001f));
  }
  model::Matrix elsewhere(1, 2);
  elsewhere << 0.5f, 0.5f;
  float s = 0;
  scale.evaluate(elsewhere.data(), 1, &s);
  EXPECT_EQ(scale.at(elsewhere)(0, 0), s);
}

TEST(LocalScale, MayBeTheSameEverywhere) {
  const LocalScale scale(std::vector<float>{2, 3});
  const float x[] = {0, 0, 9, 9};
  float s[4];
  scale.evaluate(x, 2, s);
  EXPECT_EQ(s[0], 2);
  EXPECT_EQ(s[3], 3);
  EXPECT_THROW(LocalScale(std::vector<float>{1, 0}), std::logic_error);
}

TEST(ReadingDistance, IsToTheNearestOfTrainingOverThoseThatSpeak) {
  ReadingDistance d;
  d.training.resize(2, 3);
  d.training << 0, 0, 0, 10, 10, 10;
  d.power = 1, d.floor = 2;
  const float near[] = {3, 3, 3}, far[] = {10, 10, 13}, silent[] = {10, 10, std::nanf("")};
  EXPECT_DOUBLE_EQ(d.distance(near), 3);
  EXPECT_DOUBLE_EQ(d.distance(far), std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(d.distance(silent), 0);
  EXPECT_DOUBLE_EQ(d.factor(silent), 1);
  EXPECT_DOUBLE_EQ(d.factor(near), std::sqrt(1 + 2.25));
  EXPECT_DOUBLE_EQ(ReadingDistance().factor(near), 1);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
