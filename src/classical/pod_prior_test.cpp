// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/pod_prior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace fluidsplat::classical {
namespace {

constexpr Index kCases = 30, kSensors = 3, kModes = 2;
const double kNan = std::nan("");

// Coefficients that are a smooth function of two readings; the third repeats the first.
struct Setting {
  PodPrior::Fit fit;
  model::Matrix points;

  Setting() : points(40, 2) {
    Random random(3);
    for (float& v : points.reshaped()) v = float(random.uniform());
    fit.modes.resize(40, kModes);
    for (float& v : fit.modes.reshaped()) v = float(random.uniform(-1, 1));
    fit.readings.resize(kCases, kSensors);
    fit.coefficients.resize(kCases, kModes);
    for (Index t = 0; t < kCases; ++t) {
      const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
      fit.readings.row(t) << float(a), float(b), float(a);
      fit.coefficients.row(t) << float(std::sin(2 * a) + b), float(a * b);
    }
    fit.ladder.rungs = {{0, {Kernel::kMatern, 2.0, 1e-8}}};
    fit.places = points.topRows(kSensors);
  }
  Eigen::VectorXd readings(Index t) const { return fit.readings.row(t).transpose().cast<double>(); }
  PodPrior prior() const { return {points, 1, fit}; }
};

TEST(PodPrior, KnowsItsCasesAndWhatLiesBetween) {
  const Setting s;
  const auto prior = s.prior();
  EXPECT_EQ(prior.modes(), kModes);
  for (Index t = 0; t < kCases; ++t)
    EXPECT_LT((prior.coefficients(s.readings(t)) - s.fit.coefficients.row(t).transpose().cast<double>()).norm(), 1e-4);
  const auto between = prior.coefficients(Eigen::Vector3d(0.3, -0.2, 0.3));
  EXPECT_NEAR(between[0], std::sin(0.6) - 0.2, 0.05);
  EXPECT_NEAR(between[1], -0.06, 0.05);
}

// Left out by the formula and by fitting to the others.
TEST(PodPrior, LeftOutIsAsIfTheCaseHadNotBeenThere) {
  const Setting s;
  const auto prior = s.prior();
  for (const Index out : {0, 7, 29}) {
    auto rest = s;
    for (auto* m : {&rest.fit.readings, &rest.fit.coefficients}) {
      model::Matrix kept(kCases - 1, m->cols());
      kept << m->topRows(out), m->bottomRows(kCases - 1 - out);
      *m = kept;
    }
    // With the readings of training, with others, and with a silent sensor.
    auto silent = s.readings(out);
    silent[2] = kNan;
    for (const auto& shown : {s.readings(out), Eigen::VectorXd(s.readings(out).array() + 0.1)})
      EXPECT_LT((prior.left_out(out, shown) - rest.prior().coefficients(shown)).norm(), 1e-5) << out;
    EXPECT_GT((prior.left_out(out, silent) - prior.coefficients(silent)).norm(), 1e-6);
  }
}

TEST(PodPrior, ASilentSensorIsLeftOutOfTheMap) {
  const Setting s;
  const auto prior = s.prior();
  auto one = s.readings(4), other = s.readings(4);
  one[2] = kNan;    // says what the first says
  other[1] = kNan;  // nobody else says it
  const Eigen::VectorXd truth = s.fit.coefficients.row(4).transpose().cast<double>();
  EXPECT_LT((prior.coefficients(one) - truth).norm(), 1e-4);
  EXPECT_GT((prior.coefficients(other) - truth).norm(), 1e-3);
  EXPECT_EQ(prior.coefficients(Eigen::Vector3d(kNan, kNan, kNan)), Eigen::VectorXd::Zero(kModes));
}

// Sensors at the first points that see one channel, where readings are 0.5 on average and vary by 2.
struct Wiring {
  model::SensorLayout layout;
  model::Normalization normalization;

  explicit Wiring(const Setting& s) {
    layout.positions = s.points.topRows(kSensors);
    layout.channels.assign(kSensors, {0});
    layout.mean_readings = model::Matrix::Constant(kSensors, 1, 0.5f);
    normalization.domain = {{0, 0}, {1, 1}};
    normalization.readings = {{0.0f}, {2.0f}};
  }
};

TEST(PodPrior, TheReaderSaysTheSame) {
  const Setting s;
  const auto prior = std::make_shared<const PodPrior>(s.points, 1, s.fit);
  const Wiring w(s);
  PriorReader reader(prior, PriorInputs(prior->places(), w.layout, w.layout, w.normalization));
  const auto check = [&](const std::vector<float>& readings) {
    Eigen::VectorXd seen(kSensors);
    for (Index i = 0; i < kSensors; ++i) seen[i] = (double(readings[i]) - 0.5) / 2;
    EXPECT_LT((reader.read(readings.data()) - prior->coefficients(seen)).norm(), 1e-9);
  };
  const float nan = std::nanf("");
  check({0.5f, 1.1f, 0.2f});
  check({0.5f, nan, 0.2f});
  check({0.4f, nan, 0.3f});
  check({nan, 1.0f, 0.3f});
  check({nan, nan, nan});
  check({0.5f, 1.1f, 0.2f});
}

// Known by their places, in whatever order they come; a sensor elsewhere is as good as silent.
TEST(PriorInputs, SensorsAreKnownByTheirPlaces) {
  const Setting s;
  const auto prior = s.prior();
  const Wiring w(s);
  auto given = w.layout;
  given.positions.row(0).swap(given.positions.row(2));
  given.positions(1, 0) += 0.1f;
  const PriorInputs inputs(prior.places(), w.layout, given, w.normalization);
  const float readings[] = {1.5f, 2.5f, 4.5f};
  double heard[kSensors];
  inputs.read(readings, heard);
  EXPECT_EQ(heard[0], 2);
  EXPECT_TRUE(std::isnan(heard[1]));
  EXPECT_EQ(heard[2], 0.5);
  // The layout says where a sensor was meant to be, the prior where it was in training: both are it.
  auto meant = w.layout;
  meant.positions(1, 0) += 0.1f;
  PriorInputs(prior.places(), meant, given, w.normalization).read(readings, heard);
  EXPECT_EQ(heard[1], 1);
}

}  // namespace
}  // namespace fluidsplat::classical
