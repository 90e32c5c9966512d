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

TEST(SheddingMeter, PhaseIsLinearInTimeFromCrossingToCrossing) {
  SheddingMeter meter;
  const double period = 6.1234, offset = 0.3;
  for (int k = 0; k < 1500; ++k) meter.push(0.05 * k, std::sin(kTurn * (0.05 * k / period + offset)), 1);
  for (double time = 10; time < 75; time += 0.37) {
    const double expected = time / period + offset, error = meter.phase(time) - expected;
    EXPECT_NEAR(error - std::round(error), 0, 1e-4) << time;
    EXPECT_GE(meter.phase(time), 0);
    EXPECT_LT(meter.phase(time), 1);
  }
}

TEST(SheddingMeter, CrossingsAreOnePeriodApartUpToTheLast) {
  SheddingMeter meter;
  for (int k = 0; k < 1000; ++k) meter.push(0.05 * k, std::sin(kTurn * (0.05 * k - 1) / 6), 1);
  const std::vector<double> times = meter.crossings(12.5);
  ASSERT_EQ(times.size(), 7u) << "13, 19, ..., 49";
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 13 + 6 * double(k), 1e-3);
}

}  // namespace
}  // namespace fluidsplat::sim
