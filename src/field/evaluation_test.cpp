// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/csv.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using MeshPointer = std::shared_ptr<const Mesh>;

// Case i holds i + 1 everywhere.
MemoryDataset three_cases() {
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

SensorLayout one_sensor(float x, float y, const std::vector<int>& channels) {
  Matrix at(1, 2);
  at << x, y;
  return make_layout(at, channels);
}

// What the sensor says, everywhere.
Matrix constant(const SensorReadings& readings, const Case&, const MeshPointer& mesh) {
  return Matrix::Constant(mesh->size(), 2, readings.values(0, 0));
}

TEST(Evaluation, ComparesEachCaseAndNamesTheWorst) {
  const auto data = three_cases();
  const SensorPlacement sensors(one_sensor(1, 1, {0, 1}), data);
  // Off by 10 % in u in case 1 alone.
  const auto predict = [](const auto& readings, const auto& c, const auto& mesh) {
    Matrix out = constant(readings, c, mesh);
    if (readings.values(0, 0) == 2) out.col(0) *= 1.1f;
    return out;
  };
  const auto results = evaluate(predict, sensors, data, {2, 1});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].error.relative_l2, 0);
  EXPECT_NEAR(results[1].error.relative_l2, 0.1 / std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(results[1].error.channel_l2[0], 0.1, 1e-6);
  EXPECT_EQ(results[1].error.channel_l2[1], 0);
  EXPECT_NEAR(results[1].sensor_consistency, 0.1 / std::sqrt(2.0), 1e-6);
  EXPECT_FALSE(results[0].surface || results[0].deviation || results[0].true_force);
  Provenance made;
  made.data = "three.h5";
  const auto json = nlohmann::json::parse(metrics_json(results, data.schema(), made));
  EXPECT_EQ(json["worst_cases"][0]["case"], 1);
  EXPECT_EQ(json["worst_cases"][0]["name"], "angle 5, fine");
  EXPECT_NEAR(json["relative_l2"].get<double>(), 0.05 / std::sqrt(2.0), 1e-6);
  EXPECT_EQ(json["provenance"]["data"], "three.h5");
  EXPECT_FALSE(json.contains("surface") || json.contains("deviation_from_mean") || json.contains("pressure_forces"));
  EXPECT_EQ(json["nearest_sensor"]["relative_l2"], 0) << "the fields are constant";
  const auto csv = cases_csv(results, data.schema(), made);
  EXPECT_TRUE(csv.starts_with("# data: three.h5\ncase,name,time,relative_l2,max_error,sensor_consistency,l2_u,max_u,"))
      << csv;
  EXPECT_NE(csv.find("1,\"angle 5, fine\",10,"), std::string::npos) << csv;
}

// Predicting 2 everywhere is half wrong in case 0; next to a mean of 2 it has no merit at all.
TEST(Evaluation, TheDeviationFromAMeanIsJudgedWhenOneIsGiven) {
  const auto data = three_cases();
  const SensorPlacement sensors(one_sensor(1, 1, {0}), data);
  const MeanField mean(data, {0, 1, 2});
  const auto predict = [](const auto&, const auto&, const auto& mesh) {
    return Matrix(Matrix::Constant(mesh->size(), 2, 2.0f));
  };
  const auto results = evaluate(predict, sensors, data, {0, 2}, {.mean = &mean});
  EXPECT_NEAR(results[1].error.relative_l2, 1.0 / 3, 1e-6);
  EXPECT_NEAR(results[1].deviation->relative_l2, 1, 1e-6);
  const auto json = nlohmann::json::parse(metrics_json(results, data.schema(), {}));
  EXPECT_NEAR(json["relative_l2"].get<double>(), (1 + 1.0 / 3) / 2, 1e-6) << "the headline stays as it is";
  EXPECT_NEAR(json["deviation_from_mean"]["relative_l2"].get<double>(), 1, 1e-6);
  EXPECT_THAT(cases_csv(results, data.schema(), {}), HasSubstr(",deviation_l2,deviation_l2_u,deviation_max_u,"));
}

// A diamond of four points whose sides look outward, at p = 1, 3, 4, 8.
struct Diamond {
  Matrix points{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  Matrix pressure{{1}, {3}, {4}, {8}};
  std::vector<double> areas = {2, 2, 2, 2};
  Schema schema;
  ForceSettings forces;

  Diamond() {
    schema.coordinates = {{"x", ""}, {"y", ""}};
    schema.channels = {{"p", "Pa"}};
    forces.channel = "p";
    forces.kind = "coefficient";
    forces.length = 1;
    forces.drag_direction = {1, 0};
    forces.moment_centre = {0, 1};
  }

  // With the wall points as the mesh's own points, or as a wall beside a volume of two points.
  MemoryDataset data(bool separate) const {
    MemoryDataset out(schema, "diamond");
    auto mesh = std::make_shared<Mesh>();
    Case c;
    if (separate) {
      mesh->points = Matrix{{3, 0}, {-3, 0}};
      mesh->wall = make_wall(points, Matrix(4, 0), points, areas);
      c.fields = Matrix{{6}, {7}};
      c.wall_fields = pressure;
    } else {
      mesh->points = mesh->normals = points;
      mesh->surface = {0, 1, 2, 3};
      mesh->areas = areas;
      c.fields = pressure;
    }
    mesh->features.resize(mesh->size(), 0);
    c.mesh = mesh;
    out.add(c);
    return out;
  }
};

class Walls : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(SomeOfThePointsOrASetOfTheirOwn, Walls, ::testing::Bool());

// Forces of truth and prediction side by side, the error on the wall, and the sensor's own point.
TEST_P(Walls, ForcesSurfaceErrorsAndConsistencyAreThoseOfThePrediction) {
  const Diamond diamond;
  const auto data = diamond.data(GetParam());
  const SensorPlacement sensors(one_sensor(-1, 0, {0}), data);
  // The truth, but for 5 instead of 4 at (-1, 0).
  const auto predict = [&](const SensorReadings& readings, const Case&, const MeshPointer& mesh) -> Matrix {
    EXPECT_EQ(readings.values(0, 0), 4);
    if (mesh->size() == 2) return Matrix{{6}, {7}};
    EXPECT_EQ(SurfaceView(*mesh).size(), 4) << "the wall is seen from the wall, too";
    Matrix out = diamond.pressure;
    out(2, 0) = 5;
    return out;
  };
  const auto results = evaluate(predict, sensors, data, {0}, {.forces = diamond.forces});
  const auto& r = results[0];
  EXPECT_NEAR(r.true_force->drag, 2 * (4 - 1), 1e-6);
  EXPECT_NEAR(r.predicted_force->drag, 2 * (5 - 1), 1e-6);
  EXPECT_NEAR(r.true_force->lift, 2 * (8 - 3), 1e-6);
  // Drag acts along y = 0, below the centre: it turns counter-clockwise.
  EXPECT_NEAR(*r.true_force->moment, 6, 1e-6);
  EXPECT_NEAR(*r.predicted_force->moment, 8, 1e-6);
  EXPECT_NEAR(r.sensor_consistency, 0.25, 1e-6) << "5 instead of 4";
  EXPECT_NEAR(r.surface->channel_l2[0], 1 / std::sqrt(90.0), 1e-6);
  EXPECT_NEAR(r.surface->max_error, 1, 1e-6);
  EXPECT_NEAR(r.error.relative_l2, GetParam() ? 0 : 1 / std::sqrt(90.0), 1e-6) << "the volume's own";

  const auto csv = cases_csv(results, diamond.schema, {});
  EXPECT_THAT(csv, AllOf(HasSubstr(",surface_l2,surface_l2_p,surface_max_p,drag_true,drag,lift_true,lift,moment_true,"
                                   "moment\n"),
                         HasSubstr(",6,8,10,10,6,8\n")));
  const auto json = nlohmann::json::parse(metrics_json(results, diamond.schema, {}));
  EXPECT_NEAR(json["pressure_forces"]["drag"]["mean_absolute_error"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(json["pressure_forces"]["moment"]["mean_true"].get<double>(), 6, 1e-6);
  EXPECT_NEAR(json["pressure_forces"]["moment"]["mean_absolute_error"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(json["surface"]["channels"][0]["relative_l2"].get<double>(), 1 / std::sqrt(90.0), 1e-6);
}

TEST(Evaluation, WhatForcesLackIsToldBeforeTheFirstCase) {
  Diamond diamond;
  diamond.forces.kind = "gauge";
  diamond.forces.density = 1;
  const auto data = diamond.data(false);
  const SensorPlacement sensors(one_sensor(-1, 0, {0}), data);
  const auto predict = [](const auto&, const auto&, const auto&) -> Matrix {
    ADD_FAILURE() << "a case was reconstructed";
    return {};
  };
  try {
    evaluate(predict, sensors, data, {0}, {.forces = diamond.forces});
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("forces.velocity"), HasSubstr("diamond, case 0")));
  }
}

TEST(Evaluation, StopsWhenAsked) {
  const auto data = three_cases();
  const SensorPlacement sensors(one_sensor(0, 0, {0}), data);
  const auto until_one = [](const CaseResult& r) { return r.index < 1; };
  EXPECT_EQ(evaluate(constant, sensors, data, {0, 1, 2}, {.on_case = until_one}).size(), 2u);
}

TEST(Evaluation, TablesReadBackWhateverNamesHold) {
  TemporaryFolder folder;
  std::vector<CaseResult> results(2);
  results[0].name = "a \"b\", c\nd";
  results[0].error = {0.5, {0.5}, 1, {1}};
  results[1].error = {0.25, {0.25}, 1, {1}};
  results[1].surface = results[1].error;
  Schema schema;
  schema.channels = {{"u,v", ""}};
  write_file(folder / "cases.csv", cases_csv(results, schema, {}));
  const auto table = io::read_text_csv(folder / "cases.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1], "a \"b\", c d");
  EXPECT_EQ(table.header[6], "l2_u,v");
  EXPECT_EQ(table.header[8], "surface_l2");
  EXPECT_EQ(table.rows[0][8], "") << "a case without a wall among others";
  EXPECT_EQ(table.rows[1][8], "0.25");
}

// A ramp in x, with sensors at both ends of it: in the middle half of it is missed.
TEST(Evaluation, WhatTheNearestSensorSaysIsJudgedToo) {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}};
  MemoryDataset data(s);
  auto mesh = std::make_shared<Mesh>();
  mesh->points.resize(3, 2);
  mesh->points << 0, 0, 0.9f, 0, 2, 0;
  mesh->features.resize(3, 0);
  Case c;
  c.mesh = mesh;
  c.fields.resize(3, 1);
  c.fields << 2, 3, 6;
  data.add(c);
  Matrix at(2, 2);
  at << 0, 0, 2, 0;
  const auto predict = [&](const auto&, const auto&, const auto&) { return c.fields; };
  const auto results = evaluate(predict, SensorPlacement(make_layout(at, {0}), data), data, {0});
  EXPECT_EQ(results[0].error.relative_l2, 0);
  EXPECT_NEAR(*results[0].nearest_sensor, 1.0 / 7, 1e-6);
  EXPECT_NEAR(*nearest_sensor_error(results), 1.0 / 7, 1e-6);
}

}  // namespace
}  // namespace fluidsplat::field
