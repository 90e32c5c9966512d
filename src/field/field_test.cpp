// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/metrics.h"
#include "field/normalizer.h"
#include "field/sensors.h"
#include "field/split.h"

namespace fluidsplat::field {
namespace {

using ::testing::HasSubstr;

Mesh line_mesh(int n) {
  Mesh mesh;
  mesh.points.resize(n, 2);
  mesh.features.resize(n, 0);
  mesh.grid_shape = {1, n + 1};
  for (int i = 0; i < n; ++i) {
    mesh.points.row(i) << float(i), 0.0f;
    mesh.grid_cell.push_back(i);  // cell n has no data
  }
  return mesh;
}

Schema two_channels() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"p", "Pa"}};
  return s;
}

MemoryDataset random_dataset(int cases) {
  MemoryDataset data(two_channels());
  auto mesh = std::make_shared<const Mesh>(line_mesh(40));
  for (int i = 0; i < cases; ++i) {
    Case c;
    c.mesh = mesh;
    c.fields = Matrix::Random(40, 2);
    c.fields.col(1) = c.fields.col(1).array() * 50 + 1000 * float(i % 3);
    data.add(c);
  }
  return data;
}

TEST(Normalizer, BringsTrainingDataToZeroMeanUnitSpreadAndBack) {
  const auto data = random_dataset(6);
  std::vector<Index> all = {0, 1, 2, 3, 4, 5};
  const auto n = fit_normalizer(data, all);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(2), square = Eigen::VectorXd::Zero(2);
  for (auto i : all) {
    Matrix f = data.load(i).fields;
    n.channels.normalize(f);
    mean += f.cast<double>().colwise().mean().transpose() / 6;
    square += f.cast<double>().array().square().colwise().mean().matrix().transpose() / 6;
    n.channels.restore(f);
    EXPECT_LT((f - data.load(i).fields).cwiseAbs().maxCoeff(), 1e-3f);
  }
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(square[0], 1, 1e-4);
  EXPECT_NEAR(square[1], 1, 1e-4);
}

TEST(Normalizer, ConstantColumnsKeepScaleOneAndPositionsFillTheUnitBox) {
  MemoryDataset data(two_channels());
  Case c;
  auto mesh = std::make_shared<Mesh>(line_mesh(5));
  mesh->points.col(1).setLinSpaced(5, -2, 2);
  c.mesh = mesh;
  c.fields = Matrix::Constant(5, 2, 7);
  data.add(c);
  const auto n = fit_normalizer(data, {0});
  EXPECT_EQ(n.channels.scale, (std::vector<float>{1, 1}));
  const auto unit = n.positions(mesh->points);
  EXPECT_EQ(unit.minCoeff(), 0);
  EXPECT_EQ(unit.maxCoeff(), 1);
}

// What sensors usually say differs far more than what they say varies: only the latter scales them.
TEST(Normalizer, ReadingsAreScaledByTheirSpreadAboutTheUsual) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Matrix a(3, 1), b(3, 1);
  a << 101, -201, nan;
  b << 99, -199, nan;
  const auto fitted = fit_readings({a, b}, {{7}, {50}});
  EXPECT_FLOAT_EQ(fitted.usual(0, 0), 100);
  EXPECT_FLOAT_EQ(fitted.usual(1, 0), -200);
  EXPECT_FLOAT_EQ(fitted.usual(2, 0), -50) << "a silent sensor gets the mean of the others";
  EXPECT_FLOAT_EQ(fitted.scaling.scale[0], 1);
}

TEST(Sensors, SnapGoesToTheNearestPointAndRefusesTheFar) {
  const auto mesh = line_mesh(10);
  Matrix where(2, 2);
  where << 3.3f, 0.1f, 8.6f, -0.2f;
  auto layout = make_layout(where, {1});
  const auto snapped = layout.snap(mesh, 1.0);
  EXPECT_EQ(snapped.points, (std::vector<Index>{3, 9}));
  EXPECT_EQ(snapped.layout.positions(1, 0), 9);
  layout.names = {"nose", "tail"};
  layout.positions(1, 0) = 30;
  try {
    layout.snap(mesh, 1.0);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("sensor 1 \"tail\""));
    EXPECT_THAT(e.what(), HasSubstr("(30, -0.2)"));
  }
}

TEST(Sensors, ReadingsAreNaNWhereASensorDoesNotSee) {
  const auto data = random_dataset(1);
  const auto c = data.load(0);
  Matrix where(2, 2);
  where << 4, 0, 5, 0;
  auto layout = make_layout(where, {0});
  layout.channels[1] = {0, 1};
  const auto readings = read_sensors(c, layout, {4, 5});
  EXPECT_EQ(readings.values(0, 0), c.fields(4, 0));
  EXPECT_TRUE(std::isnan(readings.values(0, 1)));
  EXPECT_EQ(readings.values(1, 1), c.fields(5, 1));
}

TEST(Sensors, CellsMustBeInTheGridAndHaveData) {
  const auto mesh = line_mesh(10);
  EXPECT_EQ(layout_from_cells(mesh, {{0, 4}}, {0}, "x").positions(0, 0), 4);
  EXPECT_THROW(layout_from_cells(mesh, {{0, 10}}, {0}, "x"), Error) << "no data there";
  EXPECT_THROW(layout_from_cells(mesh, {{0, 11}}, {0}, "x"), Error) << "outside";
  EXPECT_THROW(layout_from_cells(mesh, {{-1, 0}}, {0}, "x"), Error);
  EXPECT_THROW(layout_from_cells(mesh, {{3}}, {0}, "x"), Error);
  auto scattered = mesh;
  scattered.grid_shape.clear();
  EXPECT_THROW(layout_from_cells(scattered, {{0, 1}}, {0}, "x"), Error);
  // Rows come first, and are three cells long.
  auto oblong = line_mesh(6);
  oblong.grid_shape = {2, 3};
  EXPECT_EQ(layout_from_cells(oblong, {{1, 2}}, {0}, "x").positions(0, 0), 5);
}

TEST(Sensors, RandomLayoutIsRepeatableAndWithoutRepeats) {
  const auto mesh = line_mesh(30);
  const auto a = random_layout(mesh, 30, 5, {0}), b = random_layout(mesh, 30, 5, {0}),
             c = random_layout(mesh, 30, 6, {0});
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_NE(a.positions, c.positions);
  std::set<float> seen;
  for (Index i = 0; i < 30; ++i) seen.insert(a.positions(i, 0));
  EXPECT_EQ(seen.size(), 30u);
  EXPECT_THROW(random_layout(mesh, 31, 5, {0}), Error);
}

TEST(Sensors, LayoutSurvivesJsonAndBadJsonIsAnError) {
  Matrix where(2, 2);
  where << 4, 0, 5, 0;
  auto layout = make_layout(where, {0, 1});
  layout.names = {"a", "b"};
  const auto j = to_json(layout);
  const auto back = layout_from_json(j, two_channels(), "f");
  EXPECT_EQ(back.positions, layout.positions);
  EXPECT_EQ(back.channels, layout.channels);
  EXPECT_EQ(back.names, layout.names);
  auto bad = j;
  bad["channels"][0] = {7};
  EXPECT_THROW(layout_from_json(bad, two_channels(), "f"), Error);
  bad = j;
  bad["positions"][0] = {1};
  EXPECT_THROW(layout_from_json(bad, two_channels(), "f"), Error);
  bad = j;
  bad.erase("channels");
  EXPECT_THROW(layout_from_json(bad, two_channels(), "f"), Error);
}

TEST(Split, ProtocolTestsEverythingThatDoesNotTrain) {
  const auto s = protocol_split(300, 50, 20, 123);
  EXPECT_EQ(s.train.size(), 50u);
  EXPECT_EQ(s.test.size(), 250u);
  EXPECT_EQ(s.validation.size(), 20u);
  std::set<Index> train(s.train.begin(), s.train.end()), test(s.test.begin(), s.test.end());
  EXPECT_EQ(train.size() + test.size(), 300u);
  for (auto v : s.validation) EXPECT_TRUE(test.contains(v));
  for (auto t : s.train) EXPECT_FALSE(test.contains(t));
  EXPECT_EQ(s.train, protocol_split(300, 50, 20, 123).train);
  EXPECT_NE(s.train, protocol_split(300, 50, 20, 124).train);
  EXPECT_THROW(protocol_split(40, 50, 0, 1), Error);
}

TEST(Split, DisjointSetsShareNothing) {
  const auto s = disjoint_split(100, 60, 15, 9);
  std::set<Index> all;
  for (const auto* list : {&s.train, &s.validation, &s.test}) all.insert(list->begin(), list->end());
  EXPECT_EQ(all.size(), 100u);
  EXPECT_EQ(s.test.size(), 25u);
}

TEST(Split, FrozenFileReadsBackAndIsChecked) {
  TemporaryFolder folder;
  const auto path = folder / "split.json";
  const auto s = disjoint_split(20, 10, 5, 9);
  write_split(path, s);
  const auto back = read_split(path, 20);
  EXPECT_EQ(back.train, s.train);
  EXPECT_EQ(back.validation, s.validation);
  EXPECT_EQ(back.test, s.test);
  EXPECT_THROW(read_split(path, 19), Error) << "an index outside the dataset";
  write_file(path, R"({"train":[1],"validation":[],"test":[1]})");
  EXPECT_THROW(read_split(path, 20), Error) << "a training case among the test cases";
  for (const char* text : {"", "{", "[]", R"({"train":[1]})", R"({"train":["a"],"validation":[],"test":[]})"}) {
    write_file(path, text);
    EXPECT_THROW(read_split(path, 20), Error) << text;
  }
}

TEST(Metrics, MatchHandComputedValues) {
  Matrix truth(2, 2), prediction(2, 2);
  truth << 3, 10, 4, 0;
  prediction << 3, 7, 4.5f, 4;
  const auto e = compare(prediction, truth);
  EXPECT_NEAR(e.channel_l2[0], 0.5 / 5, 1e-7);
  EXPECT_NEAR(e.channel_l2[1], 5.0 / 10, 1e-7);
  EXPECT_NEAR(e.relative_l2, std::sqrt((0.25 + 25) / 125), 1e-7);
  EXPECT_NEAR(e.max_error, 4, 1e-7);
  const auto s = summarize({e, compare(truth, truth)}, {0.2, 0.4});
  EXPECT_NEAR(s.relative_l2, e.relative_l2 / 2, 1e-7);
  EXPECT_NEAR(s.relative_l2_worst, e.relative_l2, 1e-7);
  EXPECT_NEAR(s.sensor_consistency, 0.3, 1e-12);
}

TEST(Metrics, AZeroFieldHasAbsoluteErrorAndAbsentReadingsDoNotCount) {
  const Matrix zero = Matrix::Zero(4, 1), half = Matrix::Constant(4, 1, 0.5f);
  EXPECT_EQ(compare(zero, zero).relative_l2, 0);
  EXPECT_NEAR(compare(half, zero).relative_l2, 1, 1e-7);
  SensorReadings readings{Matrix::Zero(2, 2), Matrix::Constant(2, 1, 2.0f), {}};
  readings.values(1, 0) = std::nanf("");
  Matrix prediction(2, 1);
  prediction << 3, 1000;
  EXPECT_NEAR(sensor_consistency(prediction, readings), 0.5, 1e-7);
}

}  // namespace
}  // namespace fluidsplat::field
