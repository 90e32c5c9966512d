// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Bands and checked sensors on the runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "runtime/calibrated_fixture.h"
#include "runtime/left_out.h"

namespace fluidsplat::runtime {
namespace {

using testing::HasSubstr;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

TEST(Bands, AreTheFieldAndAMultipleOfTheLocalScale) {
  const Calibrated f;
  auto options = f.options();
  const auto plain = f.run(options);
  options.band = uncertainty::BandRequest{.level = 0.9};
  auto plan = f.model->plan(options);
  const Index c = f.model->description().spec.channels, values = f.count * c;
  std::vector<float> field(values), lower(values), upper(values), scale(values), local(values);
  plan.run(f.readings.data(), f.descriptors.data(),
           {.field = field.data(), .lower = lower.data(), .upper = upper.data(), .scale = scale.data()});
  EXPECT_EQ(field, plain);
  f.made.scale.evaluate(f.points.data(), f.count, local.data());
  const double factor = plan.band()->factor();
  for (Index i = 0; i < values; ++i) {
    const double q = f.made.rungs[0].pointwise[i % c].size.quantile(0.9);
    EXPECT_NEAR(scale[i], factor * local[i], 1e-5 * scale[i]);
    EXPECT_NEAR(upper[i] - field[i], q * scale[i], 1e-4 * (1 + std::abs(field[i]) + q * scale[i]));
    EXPECT_NEAR(field[i] - lower[i], q * scale[i], 1e-4 * (1 + std::abs(field[i]) + q * scale[i]));
  }
  // At other points, and without the field, it is the same.
  std::vector<float> again(values), above(values);
  plan.evaluate_at(f.points.data(), f.features.data(), f.count, {.lower = again.data(), .upper = above.data()});
  for (Index i = 0; i < values; ++i) {
    EXPECT_NEAR(again[i], lower[i], 1e-4 * (1 + std::abs(lower[i])));
    EXPECT_NEAR(above[i], upper[i], 1e-4 * (1 + std::abs(upper[i])));
  }
}

// How many features points have; with some, one of them decides on classes, too.
class BandsOfClasses : public testing::TestWithParam<Index> {};

// Places have thresholds of their own, and the last hidden layer its doubt: planned or not, with derivatives or
// without.
TEST_P(BandsOfClasses, KnowTheLastLayer) {
  const Calibrated f([](nlohmann::json& m) { m["features"] = GetParam(); }, 3, true);
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.9};
  options.gradients = true;
  options.threads = 2;
  auto plan = f.model->plan(options);
  const auto& spec = f.model->description().spec;
  const Index c = spec.channels, values = f.count * c;
  std::vector<float> field(values), upper(values), scale(values), local(values), slopes(values * spec.dim);
  model::Matrix hidden(f.count, spec.width);
  plan.run(f.readings.data(), f.descriptors.data(),
           {.field = field.data(), .upper = upper.data(), .scale = scale.data(), .hidden = hidden.data()});
  f.made.scale.evaluate(f.points.data(), f.count, local.data());
  std::vector<uncertainty::PlaceClasses::Class> classes(f.count);
  f.made.classes.evaluate(f.points.data(), f.features.data(), f.count, classes.data());
  const auto doubt = f.made.layer.doubt(hidden);
  std::vector<bool> met(3);
  for (Index i = 0; i < values; ++i) {
    const double q = f.made.rungs[0].by_class[classes[i / c]][i % c].size.quantile(0.9);
    const double size = plan.band()->factor() * double(doubt[i / c]) * double(local[i]);
    EXPECT_NEAR(scale[i], size, 1e-4 * size);
    EXPECT_NEAR(upper[i] - field[i], q * size, 1e-4 * (1 + std::abs(field[i]) + q * size));
    met[classes[i / c]] = true;
  }
  EXPECT_EQ(met, std::vector<bool>(3, true));
  std::vector<float> again(values), with_slopes(values);
  plan.evaluate_at(f.points.data(), f.features.data(), f.count, {.upper = again.data()});
  plan.evaluate({.gradient = slopes.data(), .upper = with_slopes.data()});
  for (Index i = 0; i < values; ++i) {
    EXPECT_NEAR(again[i], upper[i], 1e-4 * (1 + std::abs(upper[i])));
    EXPECT_NEAR(with_slopes[i], upper[i], 1e-4 * (1 + std::abs(upper[i])));
  }
  std::vector<float> asked(f.count);
  plan.evaluate({.doubt = asked.data()});
  for (Index i = 0; i < f.count; ++i) EXPECT_NEAR(asked[i], doubt[i], 1e-4 * doubt[i]);
  EXPECT_THROW(f.model->plan(f.options()).evaluate({.doubt = asked.data()}), Error);
}

INSTANTIATE_TEST_SUITE_P(Bands, BandsOfClasses, testing::Values(0, 2));

TEST(Bands, ALayerThatTheModelDoesNotHaveIsRefused) {
  const Calibrated f;
  uncertainty::LastLayer other;
  other.directions = model::Matrix::Ones(4, 7);
  auto options = f.options();
  options.layer = &other;
  EXPECT_THROW(f.model->plan(options), Error);
  auto contents = model::contents_of(model::ModelFile::open(f.folder / "calibrated.safetensors"));
  auto made = f.made;
  made.layer = other;
  contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(made);
  model::write_model_file(f.folder / "other.safetensors", contents);
  try {
    Reconstructor::open(f.folder / "other.safetensors");
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::AllOf(HasSubstr("other.safetensors"), HasSubstr("layer of 6")));
  }
}

TEST(Bands, WidenWithSilentSensorsAndEnd) {
  const Calibrated f;
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.9};
  auto plan = f.model->plan(options);
  const Index c = f.model->description().spec.channels;
  std::vector<float> upper(f.count * c), scale(f.count * c), field(f.count * c);
  auto readings = f.readings;
  double last = 0;
  for (Index silent = 0; silent <= 3; ++silent) {
    if (silent > 0) std::fill_n(readings.begin() + (silent - 1) * c, c, kNone);
    plan.run(readings.data(), f.descriptors.data(),
             {.field = field.data(), .upper = upper.data(), .scale = scale.data()});
    const double width = (upper[0] - field[0]) / scale[0];
    if (silent < 3)
      EXPECT_GT(width, last);
    else
      EXPECT_EQ(upper[0], std::numeric_limits<float>::infinity());
    last = width;
  }
}

TEST(Bands, OldFilesSayThatTheyHaveNone) {
  const Fixture f;
  EXPECT_EQ(f.model->calibration(), nullptr);
  auto options = f.options();
  options.band = uncertainty::BandRequest{};
  try {
    f.model->plan(options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("fluidsplat calibrate"));
  }
}

TEST(Bands, AreRefusedWhereTheyWereNotPlannedOrDoNotFit) {
  const Calibrated f;
  auto plan = f.model->plan(f.options());
  std::vector<float> lower(f.count * f.model->description().spec.channels);
  EXPECT_THROW(plan.run(f.readings.data(), f.descriptors.data(), {.lower = lower.data()}), Error);
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.99};
  EXPECT_THROW(f.model->plan(options), Error);
  auto others = f.model->description().sensors;
  others.positions.conservativeResize(2, Eigen::NoChange);
  others.mean_readings.conservativeResize(2, Eigen::NoChange);
  others.channels.resize(2);
  options.band->level = 0.9;
  options.sensors = &others;
  EXPECT_THROW(f.model->plan(options), Error);
}

TEST(LeftOutReadings, AreWhatAPlanWithoutTheSensorSays) {
  const Calibrated f;
  const auto& d = f.model->description();
  const Index c = d.spec.channels, n = d.sensors.size();
  LeftOutReadings left_out(*f.model, f.options(), nullptr);
  left_out.set_descriptors(f.descriptors.data());
  auto readings = f.readings;
  std::fill_n(readings.begin() + c, c, kNone);  // the second is silent
  std::vector<float> expected(100);
  left_out(readings.data(), expected.data());
  Index v = 0;
  for (Index i = 0; i < n; ++i) {
    auto without = readings;
    std::fill_n(without.begin() + i * c, c, kNone);
    auto options = f.options();
    options.points = d.sensors.positions.data();
    options.count = n;
    std::vector<float> field(n * c);
    f.model->plan(options).run(without.data(), f.descriptors.data(), {.field = field.data()});
    for (int seen : d.sensors.channels[i]) {
      if (i == 1)
        EXPECT_TRUE(std::isnan(expected[v]));
      else
        EXPECT_EQ(expected[v], field[i * c + seen]);
      ++v;
    }
  }
}

// What a sensor that is ignored says changes no bit of field or band.
TEST(Bands, AnIgnoredSensorHasNoInfluence) {
  const Calibrated f;
  const Index c = f.model->description().spec.channels, values = f.count * c;
  auto options = f.options();
  options.band = uncertainty::BandRequest{.level = 0.9};
  auto plan = f.model->plan(options);
  LeftOutReadings left_out(*f.model, f.options(), nullptr);
  left_out.set_descriptors(f.descriptors.data());
  auto calibration = std::make_shared<uncertainty::Calibration>(f.made);
  Index count = 0;
  for (const auto& seen : f.model->description().sensors.channels) count += std::ssize(seen);
  calibration->lowest.assign(count, -10);
  calibration->highest.assign(count, 10);
  // Whatever fits or not, only what is out of range is taken out: the rest of a random model does not fit itself.
  for (auto& rung : calibration->rungs) rung.reading_scale.assign(count, 1e9f);
  uncertainty::SensorCheck check(calibration, {f.model->description().sensors, f.model->description().normalization},
                                 [&](const float* v, float* e) { left_out(v, e); }, {});
  std::vector<std::vector<float>> answers;
  for (float wild : {1e3f, -5e8f}) {
    auto readings = f.readings;
    readings[2 * c] = wild;
    const auto found = check.check(readings.data());
    EXPECT_EQ(found.sensors[2].state, uncertainty::SensorState::out_of_range);
    EXPECT_EQ(found.ignored, 1);
    std::vector<float> out(3 * values);
    plan.run(readings.data(), f.descriptors.data(),
             {.field = out.data(), .lower = out.data() + values, .upper = out.data() + 2 * values});
    answers.push_back(std::move(out));
  }
  EXPECT_EQ(answers[0], answers[1]);
}

}  // namespace
}  // namespace fluidsplat::runtime
