// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/shedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fluidsplat::sim {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

TEST(SheddingMeter, FindsPeriodAmplitudeAndMeanDragOfASine) {
  SheddingMeter meter;
  const double period = 6.1234, dt = 0.05;
  for (int k = 0; k * dt < 10 * period; ++k) {
    const double t = k * dt;
    meter.push(t, 0.33 * std::sin(kTurn * (t / period + 0.3)), 1.35 + 0.01 * std::cos(2 * kTurn * t / period));
  }
  const auto s = meter.summary(0);
  EXPECT_GE(s.cycles, 8);
  EXPECT_NEAR(s.period, period,
              1e-5 * period);  // far below the 0.05 between samples: crossings are interpolated
  EXPECT_NEAR(s.lift_amplitude, 0.33, 1e-3);
  EXPECT_NEAR(s.drag_mean, 1.35, 1e-3);
  EXPECT_TRUE(meter.settled());
}

TEST(SheddingMeter, GrowingOrLopsidedLiftIsNotSettled) {
  SheddingMeter growing, lopsided;
  for (int k = 0; k < 2000; ++k) {
    const double t = 0.05 * k, wave = std::sin(kTurn * t / 6);
    growing.push(t, std::exp(0.01 * t) * wave, 1);
    lopsided.push(t, wave + 0.1, 1);
  }
  EXPECT_FALSE(growing.settled());  // 6 % a cycle
  EXPECT_FALSE(lopsided.settled());
  EXPECT_TRUE(growing.settled(0.1));
}

TEST(SheddingMeter, SummaryLeavesOutEarlierCycles) {
  SheddingMeter meter;
  for (int k = 0; k < 4000; ++k) {
    const double t = 0.05 * k;
    meter.push(t, (t < 60 ? 2.0 : 1.0) * std::sin(kTurn * t / 6), 1);
  }
  EXPECT_NEAR(meter.summary(66).lift_amplitude, 1, 1e-3);
  EXPECT_GT(meter.summary(0).lift_amplitude, 1.2);
  EXPECT_EQ(meter.summary(1e9).cycles, 0);
}

}  // namespace
}  // namespace fluidsplat::sim
