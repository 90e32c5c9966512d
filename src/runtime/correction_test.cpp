// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/reconstructor_fixture.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;

// The fixture's model with a correction.
struct Corrected : Fixture {
  Corrected(double length, double contrast, double noise, const std::function<void(json&)>& change = {},
            Index points = 500)
      : Fixture(change, points) {
    file.add_correction(length, contrast, noise);
    file.write(folder / "corrected.safetensors");
    corrected.emplace(Reconstructor::open(folder / "corrected.safetensors"));
    const auto& sensors = corrected->description().sensors.positions;
    sensor_places.assign(sensors.data(), sensors.data() + sensors.size());
    sensor_features = uniform(sensors.rows() * corrected->description().spec.features, -1, 1, 7);
  }
  std::vector<float> at_sensors(const Reconstructor& model, const std::vector<float>& readings) const {
    auto o = options();
    o.sensor_features = sensor_features.data();
    auto plan = model.plan(o);
    plan.observe(readings.data(), descriptors.data());
    const auto& d = model.description();
    std::vector<float> out(d.sensors.size() * d.spec.channels);
    plan.evaluate_at(sensor_places.data(), sensor_features.data(), d.sensors.size(), {.field = out.data()});
    return out;
  }
  std::optional<Reconstructor> corrected;
  std::vector<float> sensor_places, sensor_features;
};

TEST(Correction, WithoutNoiseAModelAnswersWhatItsSensorsSay) {
  for (const Index features : {0, 2}) {
    const Corrected f(0.3, 2, 2e-6, [&](json& m) { m["channels"] = 3, m["features"] = features; });
    const auto& layout = f.corrected->description().sensors;
    const auto said = f.at_sensors(*f.corrected, f.readings), alone = f.at_sensors(*f.model, f.readings);
    double missed = 0;
    for (Index s = 0; s < layout.size(); ++s)
      for (const int c : layout.channels[s]) {
        EXPECT_NEAR(said[s * 3 + c], f.readings[s * 3 + c], 2e-3);
        missed = std::max(missed, std::abs(double(alone[s * 3 + c] - f.readings[s * 3 + c])));
      }
    EXPECT_GT(missed, 0.1) << "or there was nothing to correct";
  }
}

TEST(Correction, FarFromTheSensorsAnAnswerStaysAsItIs) {
  Corrected f(1e-4, 1e6, 0.1);
  f.points = uniform(std::ssize(f.points), -1, 3, 8);  // the fixture's own begin with the sensors' places
  std::vector<float> with(f.count * f.corrected->description().spec.channels);
  f.corrected->plan(f.options()).run(f.readings.data(), nullptr, {.field = with.data()});
  const auto without = f.run(f.options());
  for (Index i = 0; i < std::ssize(with); ++i) EXPECT_EQ(with[i], without[i]);
}

// Where a sensor says nothing there is nothing to correct, as if it were not there.
TEST(Correction, ASilentSensorIsNoSensor) {
  const Corrected f(0.3, 2, 0.05);
  const auto& d = f.corrected->description();
  const Index c = d.spec.channels, n = d.sensors.size();
  SensorLayout fewer = d.sensors;
  const auto drop_last = [&](auto& matrix) { matrix = model::Matrix(matrix.topRows(n - 1)); };
  drop_last(fewer.positions);
  if (fewer.mean_readings.size() > 0) drop_last(fewer.mean_readings);
  fewer.channels.pop_back();
  if (!fewer.names.empty()) fewer.names.pop_back();
  auto silent = f.readings;
  std::fill_n(silent.end() - c, c, std::numeric_limits<float>::quiet_NaN());
  auto without = f.options();
  without.sensors = &fewer;
  std::vector<float> a(f.count * c), b(a);
  f.corrected->plan(f.options()).run(silent.data(), nullptr, {.field = a.data()});
  f.corrected->plan(without).run(silent.data(), nullptr, {.field = b.data()});
  for (Index i = 0; i < f.count * c; ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

TEST(Correction, GradientsAreDifferenceQuotientsOfTheField) {
  for (const Index dim : {2, 3}) {
    const Corrected f(
        0.5, 3, 0.05, [&](json& m) { m["dim"] = dim, m["channels"] = 2; }, 40);
    const auto& d = f.corrected->description();
    const Index c = d.spec.channels, n = f.count;
    auto o = f.options();
    o.gradients = true;
    auto plan = f.corrected->plan(o);
    plan.observe(f.readings.data(), nullptr);
    std::vector<float> gradient(n * c * dim), also(gradient), plain(gradient);
    plan.evaluate({.gradient = gradient.data()});
    plan.evaluate_at(f.points.data(), nullptr, n, {.gradient = also.data()});
    auto uncorrected = f.model->plan(o);
    uncorrected.run(f.readings.data(), nullptr, {.gradient = plain.data()});
    double changed = 0;
    for (Index a = 0; a < dim; ++a) {
      constexpr float kStep = 4e-3f;
      auto above = f.points, below = f.points;
      for (Index i = 0; i < n; ++i) above[i * dim + a] += kStep, below[i * dim + a] -= kStep;
      std::vector<float> high(n * c), low(n * c);
      plan.evaluate_at(above.data(), nullptr, n, {.field = high.data()});
      plan.evaluate_at(below.data(), nullptr, n, {.field = low.data()});
      for (Index i = 0; i < n * c; ++i) {
        const double quotient = double(high[i] - low[i]) / (2 * kStep), said = gradient[i * dim + a];
        EXPECT_NEAR(said, quotient, 0.02 * (1 + std::abs(quotient))) << i;
        EXPECT_NEAR(said, also[i * dim + a], 1e-4 * (1 + std::abs(said)));
        changed = std::max(changed, std::abs(said - plain[i * dim + a]));
      }
    }
    EXPECT_GT(changed, 0.1);
  }
}

TEST(Correction, ThreadsGiveTheSameBits) {
  const Corrected f(0.3, 2, 0.05, {}, 9001);
  const auto ask = [&](int threads) {
    auto o = f.options();
    o.threads = threads;
    std::vector<float> out(f.count * f.corrected->description().spec.channels);
    f.corrected->plan(o).run(f.readings.data(), nullptr, {.field = out.data()});
    return out;
  };
  EXPECT_EQ(ask(1), ask(3));
}

TEST(Correction, FeaturesAtTheSensorsAreAskedForWhenNothingTellsThem) {
  const Corrected f(0.3, 2, 0.05, [](json& m) { m["features"] = 2; });
  auto o = f.options();
  o.points = o.features = nullptr;
  o.count = 0;
  try {
    f.corrected->plan(o);
    FAIL() << "planned without features at the sensors";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("needs 2 features there"), std::string::npos) << e.what();
  }
  o.sensor_features = f.sensor_features.data();
  EXPECT_NO_THROW(f.corrected->plan(o));
}

}  // namespace
}  // namespace fluidsplat::runtime
