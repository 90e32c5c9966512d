// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/disturbance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

field::SensorReadings readings_of(float value) {
  field::SensorReadings out;
  out.values = field::Matrix::Constant(50, 2, value);
  return out;
}

TEST(Disturbance, NoiseHasItsSizeInEveryChannel) {
  const model::Scaling scaling{{0, 0}, {1, 100}};
  double squares[2] = {0, 0};
  for (int k = 0; k < 200; ++k) {
    const auto noisy = disturb(readings_of(float(k)), {.noise = 0.05}, scaling).values;
    for (Index c : {0, 1})
      for (Index i = 0; i < 50; ++i) squares[c] += std::pow(noisy(i, c) - float(k), 2) / 10000;
  }
  EXPECT_NEAR(std::sqrt(squares[0]), 0.05, 0.002);
  EXPECT_NEAR(std::sqrt(squares[1]), 5, 0.2);
}

TEST(Disturbance, DeadSensorsSayNothingAndChange) {
  const model::Scaling scaling{{0, 0}, {1, 1}};
  std::set<Index> seen;
  for (int k = 0; k < 20; ++k) {
    const auto values = disturb(readings_of(float(k)), {.dead = 3}, scaling).values;
    Index dead = 0;
    for (Index i = 0; i < 50; ++i)
      if (std::isnan(values(i, 0))) {
        EXPECT_TRUE(std::isnan(values(i, 1)));
        ++dead;
        seen.insert(i);
      } else {
        EXPECT_EQ(values(i, 0), float(k));
      }
    EXPECT_EQ(dead, 3);
  }
  EXPECT_GT(seen.size(), 20u);
  EXPECT_THROW(disturb(readings_of(1), {.dead = 50}, scaling), Error);
  EXPECT_TRUE((disturb(readings_of(1), {.noise = 0.1}, scaling).values.array() ==
               disturb(readings_of(1), {.noise = 0.1}, scaling).values.array())
                  .all());
}

}  // namespace
}  // namespace fluidsplat::reconstruct
