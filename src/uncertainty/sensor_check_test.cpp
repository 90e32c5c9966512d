// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/sensor_check.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kSensors = 8, kCauses = 2;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr double kNoise = 0.02;

// A flow of two causes that all sensors see, each in its own way; what the others suggest is a least-squares fit.
class World {
 public:
  World() {
    Random random(1);
    for (Index i = 0; i < mixing_.size(); ++i) mixing_.data()[i] = random.normal();
    layout_.positions = model::Matrix::Zero(kSensors, 2);
    layout_.channels.assign(kSensors, {0});
    normalization_.readings = {{0.f}, {1.f}};
    make_calibration(random);
  }
  std::vector<float> instant(Random& random) const {
    const Eigen::Vector2d cause(random.normal(), random.normal());
    std::vector<float> out;
    for (Index i = 0; i < kSensors; ++i) out.push_back(float(mixing_.row(i).dot(cause) + kNoise * random.normal()));
    return out;
  }
  void expect(const float* values, float* expected) const {
    for (Index i = 0; i < kSensors; ++i) {
      std::vector<Index> others;
      for (Index j = 0; j < kSensors; ++j)
        if (j != i && !std::isnan(values[j])) others.push_back(j);
      Eigen::VectorXd y(std::ssize(others));
      for (std::size_t k = 0; k < others.size(); ++k) y[k] = values[others[k]];
      const Eigen::Vector2d cause = mixing_(others, Eigen::all).colPivHouseholderQr().solve(y);
      expected[i] = float(mixing_.row(i).dot(cause));
    }
  }
  SensorCheck check(SensorCheck::Options options = {}) const {
    return {calibration_, readings(), [this](const float* v, float* e) { expect(v, e); }, options};
  }
  InstantReadings readings() const { return {layout_, normalization_}; }
  Calibration& calibration() { return *calibration_; }
  std::shared_ptr<const Calibration> shared() const { return calibration_; }

 private:
  void make_calibration(Random& random) {
    calibration_ = std::make_shared<Calibration>();
    calibration_->sensors = kSensors;
    for (Index silent = 0; silent <= kSensors / 2; ++silent) {
      auto& rung = calibration_->rungs.emplace_back();
      rung.silent = silent;
      rung.pointwise.emplace_back(std::vector<std::vector<float>>(299, {1.0f}));
      rung.reading_scale.assign(kSensors, float(kNoise));
      std::vector<std::vector<float>> worst, all;
      for (int i = 0; i < 299; ++i) {
        auto values = instant(random);
        std::vector<Index> order(kSensors);
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        for (Index k = 0; k < silent; ++k) values[order[k]] = kNone;
        std::vector<float> expected(kSensors);
        expect(values.data(), expected.data());
        float most = 0, squares = 0;
        for (Index s = 0; s < kSensors; ++s)
          if (!std::isnan(values[s])) {
            const float steps = std::abs(values[s] - expected[s]) / float(kNoise);
            most = std::max(most, steps), squares += steps * steps;
          }
        worst.push_back({most});
        all.push_back({std::sqrt(squares / float(kSensors - silent))});
      }
      rung.disagreement = ScoreTable(worst);
      rung.consistency = ScoreTable(all);
    }
  }
  Eigen::Matrix<double, kSensors, kCauses> mixing_;
  model::SensorLayout layout_;
  model::Normalization normalization_;
  std::shared_ptr<Calibration> calibration_;
};

std::vector<SensorState> states(const InstantFindings& found) {
  std::vector<SensorState> out;
  for (const auto& s : found.sensors) out.push_back(s.state);
  return out;
}

TEST(SensorCheck, SoundSensorsAreRarelyTakenOut) {
  const World world;
  auto check = world.check();
  Random random(2);
  int alarms = 0;
  for (int i = 0; i < 2000; ++i) {
    auto values = world.instant(random);
    alarms += check.check(values.data()).ignored > 0;
  }
  // One calibration may be a lucky or an unlucky one: 1 % on average, and never far more.
  EXPECT_GT(alarms, 1);
  EXPECT_LT(alarms, 60);
}

TEST(SensorCheck, FindsTheOneThatLiesAndWhatItShouldSay) {
  const World world;
  auto check = world.check();
  Random random(3);
  for (Index liar = 0; liar < kSensors; ++liar) {
    auto values = world.instant(random);
    const float truth = values[liar];
    values[liar] += 1;
    const auto found = check.check(values.data());
    for (Index i = 0; i < kSensors; ++i) {
      EXPECT_EQ(found.sensors[i].state, i == liar ? SensorState::disagrees : SensorState::fine) << liar << " " << i;
      EXPECT_EQ(std::isnan(values[i]), i == liar);
    }
    EXPECT_NEAR(found.sensors[liar].expected, truth, 0.2);
    EXPECT_GT(found.sensors[liar].steps, 10);
    EXPECT_EQ(found.sensors[liar].said, truth + 1);
    EXPECT_EQ(found.ignored, 1);
    EXPECT_FALSE(found.is_unresolved);
    EXPECT_LT(found.strangeness, 4);
  }
}

TEST(SensorCheck, FindsSeveralAtOnceAndStopsAtHalf) {
  const World world;
  auto check = world.check();
  Random random(4);
  auto values = world.instant(random);
  values[1] += 0.7f, values[4] -= 1.1f, values[6] += 2;
  auto found = check.check(values.data());
  EXPECT_EQ(found.ignored, 3);
  for (Index i : {1, 4, 6}) EXPECT_EQ(found.sensors[i].state, SensorState::disagrees) << i;

  values = world.instant(random);
  for (Index i = 0; i < kSensors; ++i) values[i] += float(3 * random.normal());
  found = check.check(values.data());
  EXPECT_EQ(found.ignored, kSensors / 2);
  EXPECT_TRUE(found.is_unresolved);
}

TEST(SensorCheck, NamesTheSilentAndTheImpossible) {
  World world;
  world.calibration().lowest.assign(kSensors, -50.f);
  world.calibration().highest.assign(kSensors, 50.f);
  auto check = world.check();
  Random random(5);
  auto values = world.instant(random);
  values[2] = kNone, values[5] = 1e6f, values[7] = std::numeric_limits<float>::infinity();
  const auto found = check.check(values.data());
  EXPECT_EQ(found.sensors[2].state, SensorState::silent);
  EXPECT_EQ(found.sensors[5].state, SensorState::out_of_range);
  EXPECT_EQ(found.sensors[7].state, SensorState::out_of_range);
  EXPECT_EQ(found.ignored, 3);
  for (Index i : {2, 5, 7}) EXPECT_TRUE(std::isnan(values[i]));
}

TEST(SensorCheck, NamesTwoThatWereSwapped) {
  const World world;
  auto check = world.check();
  Random random(6);
  int named = 0;
  for (int trial = 0; trial < 20; ++trial) {
    auto values = world.instant(random);
    std::swap(values[0], values[3]);
    const auto found = check.check(values.data());
    named += found.sensors[0].state == SensorState::swapped && found.sensors[0].partner == 3 &&
             found.sensors[3].partner == 0;
  }
  EXPECT_GE(named, 15);  // now and then the two say nearly the same
}

// What is ignored has no say: another wrong value gives the same bits.
TEST(SensorCheck, WhatIsIgnoredHasNoInfluence) {
  const World world;
  auto check = world.check();
  Random random(7);
  const auto sound = world.instant(random);
  auto a = sound, b = sound;
  a[3] += 5, b[3] -= 40;
  const auto found_a = check.check(a.data()), found_b = check.check(b.data());
  EXPECT_EQ(states(found_a), states(found_b));
  EXPECT_EQ(found_a.strangeness, found_b.strangeness);
  for (Index i = 0; i < kSensors; ++i) EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])));
}

// Sensors in another order: the same of each.
TEST(SensorCheck, OrderDoesNotMatter) {
  const World world;
  const std::vector<Index> order = {5, 2, 7, 0, 3, 6, 1, 4};
  const auto permuted = [&](const float* values, float* expected) {
    std::vector<float> back(kSensors), said(kSensors);
    for (Index i = 0; i < kSensors; ++i) back[order[i]] = values[i];
    world.expect(back.data(), said.data());
    for (Index i = 0; i < kSensors; ++i) expected[i] = said[order[i]];
  };
  auto check = world.check();
  SensorCheck other(world.shared(), world.readings(), permuted, {});
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    auto values = world.instant(random);
    values[1] += 1, values[4] -= float(trial % 3);
    std::vector<float> mixed;
    for (Index i : order) mixed.push_back(values[i]);
    const auto a = check.check(values.data()), b = other.check(mixed.data());
    for (Index i = 0; i < kSensors; ++i) {
      EXPECT_EQ(a.sensors[order[i]].state, b.sensors[i].state);
      EXPECT_EQ(a.sensors[order[i]].expected, b.sensors[i].expected);
    }
    EXPECT_NEAR(a.strangeness, b.strangeness, 1e-9);
  }
}

TEST(SensorCheck, PromisesNoMoreThanTheCasesAllow) {
  World world;
  EXPECT_DOUBLE_EQ(world.check({.false_alarms = 0.05}).false_alarms(), 0.05);
  EXPECT_DOUBLE_EQ(world.check({.false_alarms = 1e-6}).false_alarms(), 1.0 / 300);
  world.calibration().rungs.front().reading_scale.clear();
  EXPECT_THROW(world.check(), Error);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
