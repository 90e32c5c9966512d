// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/series_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "uncertainty/fault.h"
#include "uncertainty/fault_kind.h"
#include "uncertainty/sensor_fixture.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Steps of sound readings: heavy-tailed, and those of one instant have to do with each other.
std::vector<float> sound_steps(Random& random, Index readings) {
  std::vector<float> out;
  const double common = random.normal();
  for (Index v = 0; v < readings; ++v) {
    const double x = 0.6 * common + 0.8 * random.normal();
    out.push_back(float(0.3 + x * std::abs(x)));
  }
  return out;
}

model::Matrix sound_blocks(Random& random, Index blocks, Index readings) {
  std::vector<std::vector<float>> steps;
  std::vector<Index> block_of;
  for (Index b = 0; b < blocks; ++b) steps.push_back(sound_steps(random, readings)), block_of.push_back(b);
  return block_steps(steps, block_of);
}

// The promise, for errors of an awkward law and few calibrated blocks.
TEST(CompareBlocks, FalseAlarmsAreAsRareAsPromised) {
  Random random(1);
  constexpr int kSeries = 1500;
  int alarms = 0;
  for (int i = 0; i < kSeries; ++i) {
    const auto calibrated = sound_blocks(random, 16, 5), seen = sound_blocks(random, 10, 5);
    alarms += compare_blocks(calibrated, seen, std::uint64_t(i)).p_value <= 0.05;
  }
  EXPECT_NEAR(double(alarms) / kSeries, 0.05, 3 * std::sqrt(0.05 * 0.95 / kSeries));
}

// One block beside n has n + 1 exchanges, all of which are tried: the p-value is a rank, and no dice are in it.
TEST(CompareBlocks, OneBlockIsRankedAmongAll) {
  Random random(7);
  constexpr int kSeries = 600;
  int alarms = 0;
  for (int i = 0; i < kSeries; ++i) {
    const auto calibrated = sound_blocks(random, 19, 3), seen = sound_blocks(random, 1, 3);
    const double p = compare_blocks(calibrated, seen, 1).p_value;
    EXPECT_NEAR(20 * p, std::round(20 * p), 1e-9);
    EXPECT_EQ(p, compare_blocks(calibrated, seen, 2).p_value);
    alarms += p <= 0.1 + 1e-9;
  }
  EXPECT_NEAR(double(alarms) / kSeries, 0.1, 3 * std::sqrt(0.1 * 0.9 / kSeries));
}

TEST(CompareBlocks, AShiftThatNoInstantShowsIsFound) {
  Random random(2);
  const auto calibrated = sound_blocks(random, 30, 5);
  auto seen = sound_blocks(random, 20, 5);
  for (Index r = 0; r < seen.rows(); ++r) seen(r, 3) += 2.f;
  const auto found = compare_blocks(calibrated, seen);
  EXPECT_LE(found.p_value, 0.01);
  EXPECT_EQ(std::ranges::max_element(found.excess) - found.excess.begin(), 3);
}

TEST(BlockSteps, AreMeansAndRootMeanSquaresOfWhatWasSaid) {
  const auto m = block_steps({{1, kNone}, {3, kNone}, {-2, 4}}, {0, 0, 1});
  EXPECT_FLOAT_EQ(m(0, 0), 2);
  EXPECT_TRUE(std::isnan(m(0, 1)));
  EXPECT_FLOAT_EQ(m(0, 2), std::sqrt(5.f));
  EXPECT_FLOAT_EQ(m(1, 0), -2);
  EXPECT_FLOAT_EQ(m(1, 1), 4);
  EXPECT_FLOAT_EQ(m(1, 3), 4);
}

TEST(BlocksOf, FramesInARowAndTheSameFlowCountOnce) {
  const std::vector<std::vector<float>> rows = {{0}, {0.05f}, {0.01f}, {1}, {1.02f}, {kNone}, {3}};
  EXPECT_EQ(blocks_of(rows, 1), (std::vector<Index>{0, 0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(blocks_of(rows, 3), (std::vector<Index>{0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(blocks_of(rows, 9), (std::vector<Index>(7, 0)));
}

// Five sensors that see one cause with unlike signs and noise; each is expected to be the mean of what the others make
// of it.
class SeriesWorld {
 public:
  static constexpr Index kSensors = 5;
  SeriesWorld() {
    own = sensors_of_one_channel(kSensors);
    calibration = std::make_shared<Calibration>();
    calibration->sensors = kSensors;
    Random random(1);
    for (Index silent = 0; silent <= kSensors / 2; ++silent) {
      auto& rung = calibration->rungs.emplace_back();
      rung.silent = silent;
      rung.pointwise.emplace_back(std::vector<std::vector<float>>(150, {1.0f}));
      rung.reading_scale.assign(kSensors, 0.1f);
      std::vector<std::vector<float>> worst, steps;
      std::vector<Index> block_of;
      for (Index i = 0; i < 150; ++i) {
        auto values = instant(random);
        for (Index k = 0; k < silent; ++k) values[(i + k) % kSensors] = kNone;
        std::vector<float> expected(kSensors);
        expect(values.data(), expected.data());
        float most = 0;
        auto& s = steps.emplace_back();
        for (Index k = 0; k < kSensors; ++k) {
          s.push_back((values[k] - expected[k]) / 0.1f);
          if (!std::isnan(s.back())) most = std::max(most, std::abs(s.back()));
        }
        worst.push_back({most});
        block_of.push_back(i);
      }
      rung.disagreement = rung.consistency = ScoreTable(worst);
      if (silent == 0) calibration->block_steps = block_steps(steps, block_of);
    }
  }
  static double sign(Index i) { return i % 2 == 0 ? 1 : -1; }
  static std::vector<float> instant(Random& random) {
    std::vector<float> out;
    const double cause = random.normal();
    for (Index i = 0; i < kSensors; ++i) out.push_back(float(sign(i) * cause + 0.1 * random.normal()));
    return out;
  }
  static void expect(const float* values, float* expected) {
    for (Index i = 0; i < kSensors; ++i) {
      double sum = 0, count = 0;
      for (Index j = 0; j < kSensors; ++j)
        if (j != i && !std::isnan(values[j])) sum += sign(j) * double(values[j]), ++count;
      expected[i] = float(sign(i) * sum / count);
    }
  }
  SeriesFindings check(std::vector<std::vector<float>>& rows) const {
    SensorCheck one(calibration, own, expect, {});
    return check_rows(one, *calibration, own, rows, 0.01);
  }
  InstantReadings own;
  std::shared_ptr<Calibration> calibration;
};

std::vector<std::vector<float>> series(Random& random, int rows) {
  std::vector<std::vector<float>> out;
  for (int r = 0; r < rows; ++r) out.push_back(SeriesWorld::instant(random));
  return out;
}

TEST(CheckRows, ASmallBiasIsFoundByAllRowsTogetherAndNamed) {
  const SeriesWorld world;
  Random random(3);
  auto rows = series(random, 30);
  // One and a half usual differences: no instant is sure of it.
  inject({SensorState::biased, 0.15, 2}, world.own, std::vector<float>(5, 1.f), rows, random);
  const auto found = world.check(rows);
  ASSERT_EQ(found.wrong, std::vector<Index>{2});
  SensorHistory history;
  for (const auto& r : found.rows) history.push_back(r.sensors[2]);
  EXPECT_EQ(fault_of(history), SensorState::biased);
  for (const auto& row : rows) EXPECT_TRUE(std::isnan(row[2]));
}

TEST(CheckRows, SoundSeriesAreRarelyBlamed) {
  const SeriesWorld world;
  Random random(4);
  int blamed = 0;
  for (int i = 0; i < 100; ++i) {
    auto rows = series(random, 12);
    blamed += !world.check(rows).wrong.empty();
  }
  EXPECT_LE(blamed, 5);
}

// Half a period has a mean of its own, however sound the sensors are.
TEST(CheckRows, ASeriesShorterThanABlockIsNotComparedWithBlocks) {
  SeriesWorld world;
  Random random(8);
  auto rows = series(random, 12);
  inject({SensorState::biased, 0.15, 2}, world.own, std::vector<float>(5, 1.f), rows, random);
  auto same = rows;
  EXPECT_LT(world.check(rows).p_value, 0.05);
  world.calibration->block = 13;
  EXPECT_EQ(world.check(same).p_value, 1);
}

// What a sensor that is ignored throughout says changes no bit of what is left, of any row.
TEST(CheckRows, WhatIsIgnoredHasNoInfluence) {
  const SeriesWorld world;
  Random random(5);
  const auto sound = series(random, 25);
  std::vector<std::vector<std::vector<float>>> left;
  std::vector<std::vector<double>> consistency(2);
  for (float bias : {0.6f, -0.9f}) {
    auto rows = sound;
    for (auto& row : rows) row[1] += bias;
    const auto found = world.check(rows);
    ASSERT_EQ(found.wrong.empty() ? found.rows[0].ignored : 1, 1);
    // Where two are taken out at once, it may as well be another flow, and all are asked how well they fit.
    for (const auto& r : found.rows) consistency[left.size()].push_back(r.ignored == 1 ? r.strangeness : 0);
    for (auto& row : rows) {
      EXPECT_TRUE(std::isnan(row[1]));
      for (float& x : row) x = std::isnan(x) ? 99 : x;  // NaN is not equal to itself
    }
    left.push_back(rows);
  }
  EXPECT_EQ(left[0], left[1]);
  EXPECT_EQ(consistency[0], consistency[1]);
}

TEST(Inject, DoesWhatItIsCalled) {
  const SeriesWorld world;
  Random random(6);
  const auto sound = series(random, 20);
  const std::vector<float> spread(5, 2.f);
  const auto with = [&](Fault fault) {
    auto rows = sound;
    inject(fault, world.own, spread, rows, random);
    for (Index r = 0; r < 20; ++r)
      for (Index i = 0; i < 5; ++i) EXPECT_TRUE(i == fault.sensor || i == fault.partner || rows[r][i] == sound[r][i]);
    return rows;
  };
  EXPECT_TRUE(std::isnan(with({SensorState::silent, 0, 1})[7][1]));
  EXPECT_EQ(with({SensorState::stuck, 0, 1})[7][1], sound[0][1]);
  EXPECT_FLOAT_EQ(with({SensorState::biased, 1.5, 1})[7][1], sound[7][1] + 3);
  EXPECT_FLOAT_EQ(with({SensorState::drifting, 1, 1})[19][1], sound[19][1] + 2);
  EXPECT_NEAR(with({SensorState::drifting, 1, 1})[9][1], sound[9][1] + 1, 1e-5);
  const auto spikes = with({SensorState::spiking, 1, 1});
  int wrong = 0;
  for (Index r = 0; r < 20; ++r) wrong += spikes[r][1] != sound[r][1];
  EXPECT_EQ(wrong, 2);
  const auto swapped = with({SensorState::swapped, 0, 1, 4});
  EXPECT_EQ(swapped[3][1], sound[3][4]);
  EXPECT_EQ(swapped[3][4], sound[3][1]);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
