// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/adaptive_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kCases = 60, kSensors = 6;
constexpr double kPi = 3.14159265358979323846;
const std::vector<Kernel> kKernels = {Kernel::kQuadratic, Kernel::kGaussian};

// A limit cycle seen by six sensors; the targets have harmonics that readings carry weakly, so noise is costly.
VectorXd seen(double phase) {
  VectorXd out(kSensors);
  for (Index s = 0; s < kSensors; ++s) out[s] = std::sin(phase + double(s)) + 0.2 * std::cos(2 * phase - double(s));
  return out;
}
VectorXd meant(double phase) {
  return Eigen::Vector3d(std::cos(phase), std::sin(2 * phase), std::cos(5 * phase));
}

struct Cycle {
  MatrixXd readings{kCases, kSensors}, targets{kCases, 3};
  Cycle() {
    for (Index t = 0; t < kCases; ++t) {
      const double phase = 2 * kPi * double(t) / kCases;
      readings.row(t) = seen(phase).transpose();
      targets.row(t) = meant(phase).transpose();
    }
  }
};

// Root of the mean squared error at phases between the training cases.
template <class Map>
double error(const Map& map, double noise) {
  Random random(5);
  double sum = 0;
  constexpr Index kAsked = 400;
  for (Index i = 0; i < kAsked; ++i) {
    const double phase = 2 * kPi * (double(i) + 0.5) / kAsked;
    VectorXd readings = seen(phase);
    for (double& r : readings) r += noise * random.normal();
    sum += (map(readings) - meant(phase)).squaredNorm();
  }
  return std::sqrt(sum / kAsked);
}

double error_made_for(const Cycle& c, double made_for, double noise) {
  const auto chosen = choose_settings(kKernels, c.readings, c.targets, made_for, kSteadyRidge);
  const ReadingMap map(chosen.settings, c.readings, c.targets);
  return error([&](const VectorXd& r) { return VectorXd(map(r.transpose()).transpose()); }, noise);
}

// At every noise it is nearly as good as the map that was made for it, which no single map is.
TEST(AdaptiveMap, IsSharpForCleanReadingsAndSteadyForNoisyOnes) {
  const Cycle c;
  const AdaptiveMap map(choose_ladder(kKernels, c.readings, c.targets, 0.01), c.readings, c.targets);
  for (const double noise : {0.0, 0.002, 0.01, 0.05})
    EXPECT_LT(error(map, noise), 1.25 * error_made_for(c, noise, noise) + 1e-9) << noise;
  EXPECT_GT(error_made_for(c, 0.01, 0), 3 * error(map, 0));
}

// Sensors close to each other: a quadratic map that trusts them makes much of their differences.
TEST(AdaptiveMap, NoisyReadingsAreNotTrusted) {
  const auto seen_closely = [](double phase) {
    VectorXd out(kSensors);
    for (Index s = 0; s < kSensors; ++s)
      out[s] = std::sin(phase + 0.15 * double(s)) + 0.05 * std::cos(2 * phase - 0.3 * double(s));
    return out;
  };
  MatrixXd readings(kCases, kSensors), targets(kCases, 1);
  for (Index t = 0; t < kCases; ++t) {
    const double phase = 2 * kPi * double(t) / kCases;
    readings.row(t) = seen_closely(phase).transpose();
    targets(t, 0) = std::sin(2 * phase);
  }
  const std::vector<Kernel> quadratic = {Kernel::kQuadratic};
  const AdaptiveMap adaptive(choose_ladder(quadratic, readings, targets, 0.01), readings, targets);
  const ReadingMap trusting(choose_settings(quadratic, readings, targets, 0, kSteadyRidge).settings, readings, targets);
  Random random(5);
  double trusted = 0, adapted = 0;
  for (Index i = 0; i < 400; ++i) {
    const double phase = 2 * kPi * (double(i) + 0.5) / 400;
    VectorXd noisy = seen_closely(phase);
    for (double& r : noisy) r += 0.05 * random.normal();
    trusted += std::pow(trusting(noisy.transpose())(0, 0) - std::sin(2 * phase), 2);
    adapted += std::pow(adaptive(noisy)[0] - std::sin(2 * phase), 2);
  }
  EXPECT_GT(trusted, 9 * adapted);
}

// Two readings whose product is wanted: no map can know better than they do.
TEST(AdaptiveMap, RungsThatDoNotHelpAreLeftOut) {
  Random random(4);
  MatrixXd readings(kCases, 2), targets(kCases, 1);
  for (Index t = 0; t < kCases; ++t) {
    readings.row(t) << random.uniform(-1, 1), random.uniform(-1, 1);
    targets(t, 0) = readings(t, 0) * readings(t, 1);
  }
  EXPECT_EQ(choose_ladder(kKernels, readings, targets, 0.01).rungs.size(), 1);
  const Cycle c;
  EXPECT_EQ(choose_ladder(kKernels, c.readings, c.targets, 0.01).rungs.size(), 4);
  EXPECT_EQ(choose_ladder(kKernels, c.readings, c.targets, 0).rungs.size(), 1);
}

TEST(AdaptiveMap, WeightsRiseSteadily) {
  const Rung rung{0.01, {}, 0.002, 0.008};
  EXPECT_EQ(rung.weight(0.001), 0);
  EXPECT_EQ(rung.weight(0.002), 0);
  EXPECT_NEAR(rung.weight(0.004), 0.5, 1e-12);
  EXPECT_EQ(rung.weight(0.008), 1);
  EXPECT_EQ(rung.weight(1), 1);
}

// By the formula and by leaving the row out.
TEST(AdaptiveMap, LeftOutIsAsIfTheCaseHadNotBeenThere) {
  const Cycle c;
  auto ladder = choose_ladder(kKernels, c.readings, c.targets, 0.01);
  for (auto& rung : ladder.rungs) rung.settings.ridge = std::max(rung.settings.ridge, 1e-8);  // or rounding would show
  const LeftOutAdaptiveMap left_out(ladder, c.readings, c.targets);
  for (const Index row : {0, 31}) {
    MatrixXd readings(kCases - 1, kSensors), targets(kCases - 1, 3);
    readings << c.readings.topRows(row), c.readings.bottomRows(kCases - 1 - row);
    targets << c.targets.topRows(row), c.targets.bottomRows(kCases - 1 - row);
    const AdaptiveMap rest(ladder, readings, targets);
    for (const double shift : {0.0, 0.003, 0.02, 0.2}) {
      const VectorXd shown = c.readings.row(row).transpose() + shift * VectorXd::LinSpaced(kSensors, -1, 1);
      EXPECT_LT((left_out(row, shown) - rest(shown)).norm(), 1e-5 * rest(shown).norm()) << row << ' ' << shift;
    }
  }
}

}  // namespace
}  // namespace fluidsplat::classical
