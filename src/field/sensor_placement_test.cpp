// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// `n` points along x, from `first` on, the first three of them on the wall.
std::shared_ptr<const Mesh> line(int n, float first) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points.resize(n, 2);
  mesh->features.resize(n, 0);
  for (int i = 0; i < n; ++i) mesh->points.row(i) << first + float(i), 0.0f;
  mesh->surface = {0, 1, 2};
  return mesh;
}

// Cases 0, 2, ... on one mesh, the others on another that is moved and longer; u at a point is x + 1000 case.
MemoryDataset two_meshes(int cases) {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"p", ""}};
  MemoryDataset data(s, "lines");
  const auto a = line(40, 0), b = line(60, 5);
  for (int i = 0; i < cases; ++i) {
    Case c;
    c.mesh = i % 2 ? b : a;
    c.fields.resize(c.mesh->size(), 2);
    c.fields.col(0) = c.mesh->points.col(0).array() + 1000 * float(i);
    c.fields.col(1) = -c.fields.col(0);
    data.add(c);
  }
  return data;
}

SensorLayout along_x(const std::vector<float>& x) {
  Matrix at = Matrix::Zero(std::ssize(x), 2);
  for (Index i = 0; i < at.rows(); ++i) at(i, 0) = x[i];
  return make_layout(std::move(at), {0});
}

SensorLayout drawn(int count, bool on_wall = false) {
  auto layout = along_x(std::vector<float>(count, 0.0f));
  layout.redraw = SensorLayout::Redraw{7, on_wall};
  return layout;
}

TEST(SensorPlacement, OneLayoutIsFoundOnEveryMesh) {
  const auto data = two_meshes(4);
  const SensorPlacement sensors(along_x({10.2f, 30}), data);
  for (Index i = 0; i < 4; ++i) {
    const auto readings = sensors.read(data.load(i), i);
    EXPECT_EQ(readings.values(0, 0), float(10 + 1000 * i));
    EXPECT_EQ(readings.positions(1, 0), 30);
    EXPECT_TRUE(std::isnan(readings.values(0, 1))) << "only u is seen";
  }
  EXPECT_EQ(sensors.of(0).points, (std::vector<Index>{10, 30}));
  EXPECT_EQ(sensors.of(1).points, (std::vector<Index>{5, 25}));
}

TEST(SensorPlacement, EveryCaseMayHaveItsOwnSensors) {
  const auto data = two_meshes(3);
  const SensorPlacement sensors({along_x({8}), along_x({9, 10, 11}), along_x({12, 13})}, data);
  EXPECT_EQ(sensors.largest(), 3);
  EXPECT_EQ(sensors.read(data.load(0), 0).values.col(0), Vector::Constant(1, 8));
  EXPECT_EQ(sensors.read(data.load(1), 1).values.col(0), Eigen::Vector3f(1009, 1010, 1011));
  EXPECT_EQ(sensors.read(data.load(2), 2).values.col(0), Eigen::Vector2f(2012, 2013)) << "on the mesh of case 0";
  EXPECT_EQ(sensors.layout().size(), 1) << "the first case's";
}

TEST(SensorPlacement, ErrorsNameTheCaseOrTheMesh) {
  const auto data = two_meshes(2);
  const auto complaint = [&](auto&& layouts) -> std::string {
    try {
      SensorPlacement(layouts, data);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(std::vector<SensorLayout>{along_x({8})}), AllOf(HasSubstr("lines"), HasSubstr("1 of 2 cases")));
  EXPECT_THAT(complaint(std::vector<SensorLayout>{along_x({8}), along_x({0})}), HasSubstr("lines, case 1: sensor 1"));
  EXPECT_THAT(complaint(along_x({0})), HasSubstr("lines, mesh 1: sensor 1"));
}

TEST(SensorPlacement, DrawnSensorsDifferFromStepToStepAndAreAFunctionOfTheRandom) {
  const auto data = two_meshes(2);
  const SensorPlacement sensors(drawn(5), data);
  std::set<std::vector<Index>> seen;
  for (std::uint64_t step = 0; step < 20; ++step) {
    Random random(3, step), again(3, step);
    const auto placed = sensors.draw(1, *data.mesh(1), random);
    EXPECT_EQ(placed, sensors.draw(1, *data.mesh(1), again));
    seen.insert(placed);
    EXPECT_EQ(std::set<Index>(placed.begin(), placed.end()).size(), 5u) << "no point twice";
  }
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(sensors.of(1).points, SensorPlacement(drawn(5), data).of(1).points) << "judging uses the same places";
}

TEST(SensorPlacement, SensorsDrawnOnTheWallStayThere) {
  const auto data = two_meshes(2);
  const SensorPlacement sensors(drawn(2, true), data);
  for (std::uint64_t step = 0; step < 10; ++step) {
    Random random(3, step);
    for (auto p : sensors.draw(0, *data.mesh(0), random)) EXPECT_LT(p, 3);
  }
}

TEST(SensorPlacement, SensorsWithPlacesOfTheirOwnAreNeverDrawn) {
  const auto data = two_meshes(2);
  const SensorPlacement sensors(along_x({10, 20}), data);
  Random random(3), untouched(3);
  EXPECT_EQ(sensors.draw(1, *data.mesh(1), random), sensors.of(1).points);
  EXPECT_EQ(random.bits(), untouched.bits()) << "and use up no random numbers";
}

TEST(SensorPlacement, AnotherOrderOfTheSensorsIsAnotherOrderOfWhatTheySay) {
  const auto data = two_meshes(6);
  auto layout = along_x({10, 20, 30});
  layout.channels = {{0}, {1}, {0, 1}};
  const std::vector<Index> order = {2, 0, 1};
  auto turned = layout;
  for (Index i = 0; i < 3; ++i) {
    turned.positions.row(i) = layout.positions.row(order[i]);
    turned.channels[i] = layout.channels[order[i]];
  }
  SensorPlacement a(layout, data), b(turned, data);
  const Scaling fallback{{0, 0}, {1, 1}};
  const auto scaling = a.learn_means(data, {0, 1, 2, 3}, fallback);
  const auto turned_scaling = b.learn_means(data, {0, 1, 2, 3}, fallback);
  EXPECT_EQ(scaling.mean, turned_scaling.mean);
  EXPECT_EQ(scaling.scale, turned_scaling.scale);
  const auto same = [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  for (Index index = 0; index < 6; ++index) {
    const auto c = data.load(index);
    const auto said = a.read(c, index), said_turned = b.read(c, index);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_EQ(said_turned.positions.row(i), said.positions.row(order[i]));
      for (Index k = 0; k < 2; ++k) {
        EXPECT_TRUE(same(said_turned.values(i, k), said.values(order[i], k))) << i << " " << k;
        EXPECT_EQ(said_turned.mean(i, k), said.mean(order[i], k));
      }
    }
  }
}

TEST(SensorPlacement, MeansAreLearntWhereSensorsStayOnly) {
  const auto data = two_meshes(4);
  const Scaling fallback{{0, 0}, {1, 1}};
  SensorPlacement fixed(along_x({10, 20}), data), moving(drawn(4), data);
  fixed.learn_means(data, {0, 1, 2, 3}, fallback);
  EXPECT_FLOAT_EQ(fixed.layout().mean_readings(1, 0), 1520);
  EXPECT_EQ(fixed.read(data.load(3), 3).mean, fixed.layout().mean_readings);
  const auto scaling = moving.learn_means(data, {0, 1, 2, 3}, fallback);
  EXPECT_EQ(moving.layout().mean_readings.size(), 0);
  EXPECT_GT(scaling.mean[0], 1500) << "the mean over all sensors and cases";
  EXPECT_GT(scaling.scale[0], 1000) << "which differ by 1000 from case to case";
}

}  // namespace
}  // namespace fluidsplat::field
