// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/pattern_habits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "uncertainty/sensor_fixture.h"
#include "uncertainty/series_check.h"
#include "uncertainty/shift_alarm.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kSensors = 8;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Sensors in pairs that see the same cause, the first pair nearly without noise: without its partner a sensor is a
// hundred times harder to tell.  Noise is heavy-tailed and grows with the cause.
std::vector<float> instant(Random& random) {
  std::vector<float> out;
  const double common = random.normal();
  for (Index pair = 0; pair < kSensors / 2; ++pair) {
    const double cause = 0.7 * common + 0.7 * random.normal();
    for (int k = 0; k < 2; ++k) {
      const double e = random.normal();
      out.push_back(float(cause + (pair == 0 ? 0.005 : 0.1) * (1 + std::abs(cause)) * e * std::abs(e)));
    }
  }
  return out;
}

// A calibration of such instants, each a group, by the law of others.
struct Flow {
  Flow(Index training, Index usual, Index calibrated, Random& random) {
    own = sensors_of_one_channel(kSensors);
    const auto draw = [&](Index rows) {
      model::Matrix out(rows, kSensors);
      for (Index r = 0; r < rows; ++r) std::ranges::copy(instant(random), out.row(r).data());
      return out;
    };
    auto law = std::make_shared<ReadingLaw>();
    law->training = draw(training);
    law->settings.assign(kSensors, {classical::Kernel::kLinear, 1, 1e-2});
    law->is_sharper.assign(kSensors, true);
    calibration = std::make_shared<Calibration>();
    calibration->sensors = kSensors;
    calibration->law = law;
    auto& past = calibration->instants;
    past.usual = draw(usual);
    past.calibrated = draw(calibrated);
    for (Index i = 0; i < calibrated; ++i) past.group.push_back(i);
    LeftOutExpectation expectation(law, own, {});
    const auto differences = [&](const model::Matrix& readings) {
      const auto told = expectation.by_law(readings, std::vector<bool>(kSensors, true));
      std::vector<std::vector<float>> out(readings.rows());
      for (Index r = 0; r < readings.rows(); ++r)
        for (Index v = 0; v < kSensors; ++v) out[r].push_back(readings(r, v) - float(told(r, v)));
      return out;
    };
    auto habit = habit_of(differences(past.calibrated), past.group, usual_differences(differences(past.usual), own));
    past.consistency = habit.instants;
    for (Index silent = 0; silent <= kSensors / 2; ++silent) {
      auto& rung = calibration->rungs.emplace_back();
      rung.silent = silent;
      rung.pointwise.emplace_back(std::vector<std::vector<float>>(calibrated, {1.0f}));
      rung.reading_scale = habit.scale;
      rung.disagreement = habit.disagreement;
      rung.consistency = habit.consistency;
    }
    calibration->block_steps = habit.block_steps;
  }
  InstantReadings own;
  std::shared_ptr<Calibration> calibration;
};

// No, one, two and half of the sensors silent.
const std::vector<std::vector<Index>> kPatterns = {{}, {0}, {0, 2}, {0, 3, 4, 6}};

std::vector<float> with_silent(std::vector<float> values, const std::vector<Index>& silent) {
  for (Index i : silent) values[i] = kNone;
  return values;
}

double three_errors(double rate, int trials) {
  return 3 * std::sqrt(rate * (1 - rate) / trials);
}

// The promise in single instants: on average over calibrations, whoever is silent.
TEST(PatternHabits, FalseAlarmsAreAsRareAsPromisedWhoeverIsSilent) {
  constexpr double kRate = 0.05;
  constexpr int kCalibrations = 60, kInstants = 30;
  std::vector<int> alarms(kPatterns.size()), by_number(kPatterns.size());
  for (int c = 0; c < kCalibrations; ++c) {
    Random random(1, std::uint64_t(c));
    Flow flow(40, 30, 39, random);
    SensorCheck check(flow.calibration, flow.own, {}, {.false_alarms = kRate, .most_ignored = kSensors});
    auto old = std::make_shared<Calibration>(*flow.calibration);
    old->instants = {};
    SensorCheck check_by_number(old, flow.own, {}, {.false_alarms = kRate, .most_ignored = kSensors});
    for (int i = 0; i < kInstants; ++i)
      for (std::size_t p = 0; p < kPatterns.size(); ++p) {
        auto values = with_silent(instant(random), kPatterns[p]), same = values;
        const auto silent = std::ssize(kPatterns[p]);
        const auto found = check.check(values.data());
        alarms[p] += found.ignored > silent || found.is_unresolved;
        const auto found_by_number = check_by_number.check(same.data());
        by_number[p] += found_by_number.ignored > silent || found_by_number.is_unresolved;
      }
  }
  constexpr int kTrials = kCalibrations * kInstants;
  // Instants of one calibration share its luck, which the bound has to allow for: its variance is that of a beta law.
  const double luck = 3 * std::sqrt(kRate * (1 - kRate) / 41 / kCalibrations);
  for (std::size_t p = 0; p < kPatterns.size(); ++p)
    EXPECT_NEAR(alarms[p] / double(kTrials), kRate, three_errors(kRate, kTrials) + luck) << p;
  // What was done before: thresholds for all speaking.
  EXPECT_GT(by_number[1] / double(kTrials), 5 * kRate);
}

// The promise in whole series.
TEST(PatternHabits, SoundSeriesAreAsRarelyBlamedWhoeverIsSilent) {
  constexpr double kRate = 0.05;
  constexpr int kSeries = 300;
  std::vector<int> alarms(kPatterns.size());
  for (int s = 0; s < kSeries; ++s) {
    Random random(2, std::uint64_t(s));
    Flow flow(40, 30, 16, random);
    for (std::size_t p = 0; p < kPatterns.size(); ++p) {
      std::vector<std::vector<float>> rows;
      for (int r = 0; r < 6; ++r) rows.push_back(with_silent(instant(random), kPatterns[p]));
      // Single instants have no say.
      SensorCheck check(flow.calibration, flow.own, {}, {.false_alarms = 0, .most_ignored = 0});
      alarms[p] += check_rows(check, *flow.calibration, flow.own, rows, kRate).p_value <= kRate;
    }
  }
  for (std::size_t p = 0; p < kPatterns.size(); ++p)
    EXPECT_NEAR(alarms[p] / double(kSeries), kRate, three_errors(kRate, kSeries)) << p;
}

// One that is plainly wrong in most rows is so in those, too, in which what it says happens to fit.  Another that only
// all rows together show is found beside it, and is no reason to believe the first again.
TEST(PatternHabits, WhatIsWrongInMostRowsIsOutOfAllBesideAnother) {
  Random random(5);
  const Flow flow(60, 60, 120, random);
  std::vector<std::vector<float>> rows;
  for (Index r = 0; r < 60; ++r) {
    auto& values = rows.emplace_back(instant(random));
    if (r % 5 < 3) values[2] += 3;
    values[5] += 0.3f;
  }
  SensorCheck check(flow.calibration, flow.own, {}, {});
  const auto found = check_rows(check, *flow.calibration, flow.own, rows, 0.01).wrong;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(std::ranges::find(found, 2), found.end());
  for (Index i : found)
    for (const auto& row : rows) EXPECT_TRUE(std::isnan(row[i])) << "sensor " << i;
}

// Two that are wrong, one of them not in every row: whoever most rows show to be wrong is out of all of them.
TEST(PatternHabits, NobodyIsBelievedWhomMostRowsDoubt) {
  for (const float bias : {0.6f, 1.f, 4.f})
    for (const float other : {0.3f, 1.f, 3.f})
      for (int series = 0; series < 4; ++series) {
        Random random(6, std::uint64_t(series));
        const Flow flow(40, 30, 99, random);
        std::vector<std::vector<float>> rows;
        for (Index r = 0; r < 20; ++r) {
          auto& values = rows.emplace_back(instant(random));
          if (r % 10 < 8) values[2] += bias;
          values[0] += other;
        }
        SensorCheck check(flow.calibration, flow.own, {}, {});
        const auto found = check_rows(check, *flow.calibration, flow.own, rows, 0.01);
        EXPECT_LE(std::ssize(found.wrong), kSensors / 2);
        if (std::ssize(found.wrong) == kSensors / 2) continue;
        for (Index i = 0; i < kSensors; ++i) {
          const auto doubted = std::ranges::count_if(found.rows, [&](const auto& row) {
            return row.sensors[i].state == SensorState::disagrees || row.sensors[i].state == SensorState::swapped;
          });
          EXPECT_TRUE(doubted <= 10 || std::ranges::find(found.wrong, i) != found.wrong.end())
              << "sensor " << i << " in " << doubted << " of 20 rows: bias " << bias << ", the other's " << other
              << ", series " << series;
        }
      }
}

// A sensor without its partner may be off by much and still be sound; beside its partner it may not.
TEST(PatternHabits, AUsualDifferenceDependsOnWhoIsSilent) {
  Random random(3);
  const Flow flow(60, 60, 60, random);
  PatternHabits habits(flow.calibration, flow.own, {});
  const auto values = instant(random);
  const float beside = habits.of(values.data())->scale[1];
  EXPECT_GT(habits.of(with_silent(values, {0}).data())->scale[1], 5 * beside);
  EXPECT_NEAR(habits.of(with_silent(values, {4}).data())->scale[1], beside, 0.3 * beside);
  EXPECT_EQ(habits.of(with_silent(values, {0, 1, 2, 3, 4}).data()), nullptr);
}

// With sensors silent the strangeness of an instant has the law that it has with all speaking.
TEST(PatternHabits, StrangenessKeepsItsRank) {
  Random random(4);
  const Flow flow(60, 60, 200, random);
  PatternHabits habits(flow.calibration, flow.own, {});
  auto all = Strangeness(*flow.calibration).instants();
  std::ranges::sort(all);
  // Readings of training are at no distance from it.
  const auto known = flow.calibration->law->training.row(0);
  for (const auto& silent : kPatterns) {
    const auto pattern = with_silent({known.begin(), known.end()}, silent);
    const auto* habit = habits.of(pattern.data());
    if (silent.empty()) {
      EXPECT_EQ(habits.strangeness(pattern.data(), 1.25), 1.25);
      continue;
    }
    const auto own = habit->instants;
    for (std::size_t k = 0; k < own.size(); k += 17)
      EXPECT_NEAR(habits.strangeness(pattern.data(), own[k]), all[k], 1e-9 * all[k]) << k;
    EXPECT_NEAR(habits.strangeness(pattern.data(), 3 * own.back()), 3 * all.back(), 1e-9 * all.back());
  }
}

}  // namespace
}  // namespace fluidsplat::uncertainty
