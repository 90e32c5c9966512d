// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fluidsplat::field {
namespace {

MemoryDataset two_cases() {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"p", "Pa"}};
  MemoryDataset data(s);
  Mesh mesh;
  mesh.points.resize(4, 2);
  mesh.points << 0, 0, 1, 0, 1, 1, 0, 1;
  mesh.features.resize(4, 0);
  const auto shared = std::make_shared<const Mesh>(mesh);
  for (int i = 0; i < 3; ++i) {
    Case c;
    c.name = i == 1 ? "angle 5, fine" : "case" + std::to_string(i);
    c.time = 10 * i;
    c.mesh = shared;
    c.fields = Matrix::Constant(4, 2, float(i + 1));
    data.add(c);
  }
  return data;
}

TEST(Evaluation, ComparesEachCaseAndNamesTheWorst) {
  const auto data = two_cases();
  Matrix at(1, 2);
  at << 1, 1;
  const SensorPlan sensors(make_layout(at, {0, 1}), data);
  // Off by 10 % in u in case 1 alone; the sensor reads what the case holds.
  const auto predict = [](const Case& c, const SensorReadings& readings) {
    EXPECT_EQ(readings.values(0, 0), c.fields(2, 0));
    Matrix out = c.fields;
    if (c.time == 10) out.col(0) *= 1.1f;
    return out;
  };
  Index seen = 0;
  const auto results = evaluate(predict, sensors, data, {2, 1}, {}, [&](const CaseResult&) { return ++seen < 5; });
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].error.relative_l2, 0);
  EXPECT_NEAR(results[1].error.relative_l2, 0.1 / std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(results[1].error.channel_l2[0], 0.1, 1e-6);
  EXPECT_EQ(results[1].error.channel_l2[1], 0);
  EXPECT_NEAR(results[1].sensor_consistency, 0.1 / std::sqrt(2.0), 1e-6);
  const auto json = nlohmann::json::parse(metrics_json(results, data.schema()));
  EXPECT_EQ(json["worst_cases"][0]["case"], 1);
  EXPECT_EQ(json["worst_cases"][0]["name"], "angle 5, fine");
  EXPECT_NEAR(json["relative_l2"].get<double>(), 0.05 / std::sqrt(2.0), 1e-6);
  const auto csv = cases_csv(results, data.schema());
  EXPECT_NE(csv.find("1,\"angle 5, fine\",10,"), std::string::npos) << csv;
}

// Forces of truth and prediction side by side, and the sensor's own point, on a square whose sides look outward.
TEST(Evaluation, ForcesAndConsistencyAreThoseOfThePrediction) {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"p", "Pa"}};
  MemoryDataset data(s);
  auto mesh = std::make_shared<Mesh>();
  mesh->points.resize(4, 2);
  mesh->points << 1, 0, 0, 1, -1, 0, 0, -1;
  mesh->normals = mesh->points;
  mesh->surface = {0, 1, 2, 3};
  mesh->areas = {2, 2, 2, 2};
  Case c;
  c.mesh = mesh;
  c.fields.resize(4, 1);
  c.fields << 1, 3, 4, 8;
  data.add(c);
  Matrix at(1, 2);
  at << -1, 0;
  const SensorPlan sensors(make_layout(at, {0}), data);
  const auto predict = [](const Case& truth, const SensorReadings&) {
    Matrix out = truth.fields;
    out(2, 0) = 5;
    return out;
  };
  ForceSettings forces;
  forces.channel = "p";
  forces.kind = "coefficient";
  forces.length = 1;
  forces.drag_direction = {1, 0};
  forces.lift_direction = {0, 1};
  forces.moment_centre = {0, 1};
  const auto results = evaluate(predict, sensors, data, {0}, forces, {});
  EXPECT_NEAR(results[0].true_force->drag, 2 * (4 - 1), 1e-6);
  EXPECT_NEAR(results[0].predicted_force->drag, 2 * (5 - 1), 1e-6);
  EXPECT_NEAR(results[0].true_force->lift, 2 * (8 - 3), 1e-6);
  // Drag acts along y = 0, below the centre: it turns counter-clockwise.
  EXPECT_NEAR(*results[0].true_force->moment, 6, 1e-6);
  EXPECT_NEAR(*results[0].predicted_force->moment, 8, 1e-6);
  EXPECT_NEAR(results[0].sensor_consistency, 0.25, 1e-6) << "5 instead of 4";
  const auto csv = cases_csv(results, s);
  EXPECT_NE(csv.find(",drag_true,drag,lift_true,lift,moment_true,moment\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",6,8,10,10,6,8\n"), std::string::npos) << csv;
  const auto json = nlohmann::json::parse(metrics_json(results, s));
  EXPECT_NEAR(json["pressure_forces"]["drag"]["mean_absolute_error"].get<double>(), 2, 1e-6);
}

TEST(Evaluation, StopsWhenAsked) {
  const auto data = two_cases();
  Matrix at = Matrix::Zero(1, 2);
  const SensorPlan sensors(make_layout(at, {0}), data);
  const auto predict = [](const Case& c, const SensorReadings&) { return c.fields; };
  EXPECT_EQ(evaluate(predict, sensors, data, {0, 1, 2}, {}, [](const CaseResult& r) { return r.index < 1; }).size(),
            2u);
}

}  // namespace
}  // namespace fluidsplat::field
