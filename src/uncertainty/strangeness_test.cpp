// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/strangeness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "uncertainty/calibration_fixture.h"
#include "uncertainty/shift_alarm.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kReadings = 6, kBlocks = 60, kInstants = 3;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Readings of a family with one number in it, which all sensors follow.
std::vector<float> readings_of(double family, Random& random) {
  std::vector<float> out;
  for (Index v = 0; v < kReadings; ++v) out.push_back(float(std::sin(family + double(v)) + 0.02 * random.normal()));
  return out;
}
model::Matrix draw(Index rows, Random& random) {
  model::Matrix out(rows, kReadings);
  for (Index i = 0; i < rows; ++i) {
    const auto r = readings_of(random.uniform(), random);
    for (Index v = 0; v < kReadings; ++v) out(i, v) = r[v];
  }
  return out;
}
double consistency(Random& random) {
  return std::exp(0.2 * random.normal());
}

Calibration make_calibration(Random& random) {
  auto out = RandomCalibration{}.make();
  auto law = std::make_shared<ReadingLaw>();
  law->training = draw(50, random);
  out.law = law;
  out.instants = {draw(40, random), draw(kBlocks * kInstants, random), {}, {}};
  for (Index i = 0; i < kBlocks * kInstants; ++i) {
    out.instants.group.push_back(i / kInstants);
    out.instants.consistency.push_back(consistency(random));
  }
  return out;
}

TEST(Strangeness, IsTheLargerOfMisfitAndDistance) {
  Random random(1);
  const auto calibration = make_calibration(random);
  const Strangeness strange(calibration);
  ASSERT_EQ(strange.groups().groups(), kBlocks);
  const auto known = readings_of(0.5, random), far = readings_of(3, random);
  EXPECT_EQ(strange.of(known.data(), 7), 7);
  EXPECT_LT(strange.of(known.data(), 0), 3);
  EXPECT_GT(strange.of(far.data(), 0), 20);
  auto silent = far;
  silent[2] = kNone;
  EXPECT_GT(strange.of(silent.data(), 0), 20);
  // Nine of ten instants that are not calibrated on are within what 1.645 units are.
  Index within = 0;
  for (Index i = 0; i < 40; ++i) within += strange.of(calibration.instants.usual.row(i).data(), 0) <= 1.6451;
  EXPECT_NEAR(double(within), 36, 1);
}

TEST(Strangeness, IsMisfitAloneWithoutReadingsOfThePast) {
  Random random(2);
  auto calibration = make_calibration(random);
  const auto far = readings_of(3, random);
  calibration.instants = {};
  EXPECT_EQ(Strangeness(calibration).of(far.data(), 0.5), 0.5);
  EXPECT_EQ(Strangeness(calibration).groups().scores(), calibration.rungs.front().consistency.scores());
  // Nor where what is usual is known from training alone, which is at no distance from itself.
  calibration = make_calibration(random);
  calibration.instants.usual = calibration.law->training;
  EXPECT_EQ(Strangeness(calibration).of(far.data(), 0.5), 0.5);
}

// Another body may well be one whose sensors agree with each other.
TEST(Strangeness, AnotherFamilyIsNoticedThoughItsSensorsAgree) {
  Random random(3);
  const auto calibration = make_calibration(random);
  const Strangeness strange(calibration);
  const auto fires = [&](double family, Index blocks, double threshold) {
    ShiftAlarm alarm(strange.groups(), kInstants, threshold);
    for (Index i = 0; i < blocks * kInstants; ++i) {
      const auto r = readings_of(family < 0 ? random.uniform() : family, random);
      if (alarm.add(strange.of(r.data(), consistency(random)))) return i / kInstants;
    }
    return blocks;
  };
  EXPECT_LT(fires(2.5, 100, 1e4), 30);
  // In flows of the family alarms are as rare as promised: one in 200 blocks on average at the most.
  double sum = 0;
  for (int run = 0; run < 60; ++run) sum += double(fires(-1, 2000, 200));
  EXPECT_GT(sum / 60, 200);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
