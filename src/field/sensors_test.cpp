// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
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

Schema three_channels() {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"v", ""}, {"p", ""}};
  return s;
}

TEST(Sensors, SnapGoesToTheNearestPointAndRefusesTheFar) {
  const auto mesh = line_mesh(10);
  Matrix where(2, 2);
  where << 3.3f, 0.1f, 8.6f, -0.2f;
  auto layout = make_layout(where, {1});
  const auto snapped = place(layout, mesh, 1.0);
  EXPECT_EQ(snapped.points, (std::vector<Index>{3, 9}));
  EXPECT_EQ(snapped.layout.positions(1, 0), 9);
  layout.names = {"nose", "tail"};
  layout.positions(1, 0) = 30;
  try {
    place(layout, mesh, 1.0);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("sensor 2 \"tail\""));
    EXPECT_THAT(e.what(), HasSubstr("(30, -0.2)"));
  }
}

TEST(Sensors, ReadingsAreNaNWhereASensorDoesNotSee) {
  Case c;
  c.mesh = std::make_shared<const Mesh>(line_mesh(10));
  c.fields = Matrix::Random(10, 2);
  Matrix where(2, 2);
  where << 4, 0, 5, 0;
  auto layout = make_layout(where, {0});
  layout.channels[1] = {0, 1};
  const auto readings = read_sensors(c, {layout, {4, 5}});
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

// A 20 x 20 grid with a hole in the middle, and its twin moved by half a cell.
MemoryDataset two_grids(float shift) {
  MemoryDataset data(three_channels());
  for (int m = 0; m < 2; ++m) {
    auto mesh = std::make_shared<Mesh>();
    mesh->grid_shape = {20, 20};
    for (int i = 0; i < 400; ++i)
      if (std::abs(i % 20 - 10) > 4 || std::abs(i / 20 - 10) > 4) mesh->grid_cell.push_back(i);
    mesh->points.resize(std::ssize(mesh->grid_cell), 2);
    mesh->features.resize(mesh->points.rows(), 0);
    for (std::size_t p = 0; p < mesh->grid_cell.size(); ++p)
      mesh->points.row(p) << float(mesh->grid_cell[p] % 20) + float(m) * shift, float(mesh->grid_cell[p] / 20);
    Case c;
    c.mesh = mesh;
    c.fields = Matrix::Zero(mesh->size(), 3);
    data.add(c);
  }
  return data;
}

TEST(Sensors, RandomPlacesHaveDataOnEveryMesh) {
  const auto near = two_grids(4);
  const auto layout = random_layout(near, 12, 3, {0});
  for (Index m = 0; m < 2; ++m) EXPECT_NO_THROW(place(layout, *near.mesh(m), snap_tolerance(*near.mesh(m))));
  EXPECT_THROW(random_layout(two_grids(100), 4, 3, {0}), Error);
  auto redrawn = layout;
  redrawn.redraw = SensorLayout::Redraw{9, false};
  const auto far = two_grids(100);
  EXPECT_GE(place(redrawn, *far.mesh(1), 0).layout.positions.col(0).minCoeff(), 100);
}

TEST(Sensors, ABadPlaceIsNamedWithItsReason) {
  const auto data = two_grids(0);
  const auto& mesh = *data.mesh(0);
  const auto error = [&](float x, float y) -> std::string {
    Matrix where(1, 2);
    where << x, y;
    try {
      place(make_layout(where, {0}), mesh, snap_tolerance(mesh));
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error(3.4f, 2), "no error");
  EXPECT_EQ(error(5.9f, 10), "no error") << "within a cell of the body's edge";
  EXPECT_THAT(error(10, 10), AllOf(HasSubstr("sensor 1"), HasSubstr("(10, 10)"), HasSubstr("no data")));
  EXPECT_THAT(error(25, 10), AllOf(HasSubstr("outside the domain"), HasSubstr("0 to 19")));
}

// The generator's first numbers are 1791095845, 4282876139, 3093770124, 4005303368 (std::mt19937 with seed 1). Swapping
// the place i with the one that is number % (5 - i) further on, as torch.randperm(5) does:
//   + 0: 0 1 2 3 4    + 3: 0 4 2 3 1    + 0: 0 4 2 3 1    + 0: 0 4 2 3 1
TEST(Sensors, AreDrawnAsTorchDraws) {
  Mesh mesh;
  mesh.points = Matrix::Zero(5, 2);
  for (Index i = 0; i < 5; ++i) mesh.points(i, 0) = float(i);
  mesh.features.resize(5, 0);
  auto layout = make_layout(Matrix::Zero(3, 2), {0});
  layout.redraw = SensorLayout::Redraw{1, false, true};
  const auto placed = place(layout, mesh, 0);
  EXPECT_THAT(placed.points, ElementsAre(0, 4, 2));
  EXPECT_EQ(placed.layout.positions(1, 0), 4);
  // On the wall: of its own list.
  mesh.surface = {4, 3, 2, 1, 0};
  layout.redraw->on_wall = true;
  EXPECT_THAT(place(layout, mesh, 0).points, ElementsAre(4, 0, 2));
}

}  // namespace
}  // namespace fluidsplat::field
