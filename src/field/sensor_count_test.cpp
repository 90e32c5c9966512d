// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A circle of wall points in the order of their angle.
Mesh circle(int n) {
  Mesh mesh;
  mesh.points.resize(n, 2);
  mesh.features.resize(n, 0);
  for (int i = 0; i < n; ++i) {
    mesh.points.row(i) << float(std::cos(2 * M_PI * i / n)), float(std::sin(2 * M_PI * i / n));
    mesh.surface.push_back(i);
  }
  mesh.normals = mesh.points;
  return mesh;
}

std::string complaint(const SensorLayout& layout, Index count) {
  try {
    with_count(layout, count, circle(60));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(SensorCount, SensorsWithoutPlacesAreDrawn) {
  const auto mesh = circle(60);
  auto layout = random_layout(mesh, 5, 3, {1});
  layout.redraw = SensorLayout::Redraw{3, true};
  for (Index count : {1, 5, 12}) {
    const auto other = with_count(layout, count, mesh);
    ASSERT_EQ(other.size(), count);
    ASSERT_TRUE(other.redraw);
    EXPECT_EQ(other.redraw->seed, 3u);
    EXPECT_TRUE(other.redraw->on_wall);
    EXPECT_EQ(other.channels, std::vector(count, std::vector{1}));
    const auto placed = place(other, mesh, 0);
    EXPECT_EQ(std::set<Index>(placed.points.begin(), placed.points.end()).size(), std::size_t(count));
    EXPECT_EQ(other.positions, placed.layout.positions);
  }
  EXPECT_NE(complaint(layout, 61), "") << "more than the wall has points";
}

TEST(SensorCount, SensorsAlongTheWallAreSpreadEvenly) {
  const auto mesh = circle(60);
  auto layout = wall_layout(mesh, {0.1, 0.15}, {0});
  layout.names = {"a", "b"};
  layout.mean_readings = Matrix::Ones(2, 1);
  const auto other = with_count(layout, 3, mesh);
  ASSERT_EQ(other.arclengths.size(), 3u);
  for (Index i = 0; i < 3; ++i) {
    const double angle = 2 * M_PI * (double(i) + 0.5) / 3;
    EXPECT_NEAR(other.positions(i, 0), std::cos(angle), 0.06);
    EXPECT_NEAR(other.positions(i, 1), std::sin(angle), 0.06);
  }
  EXPECT_TRUE(other.names.empty());
  EXPECT_EQ(other.mean_readings.size(), 0) << "learnt at other places";
  EXPECT_EQ(with_count(layout, 2, mesh).arclengths, layout.arclengths) << "the number they have: nothing changes";
}

TEST(SensorCount, OfFixedPlacesTheFirstStayAndNoneAreInvented) {
  auto layout = random_layout(circle(60), 4, 3, {0});
  layout.channels[1] = {0, 1};
  layout.names = {"a", "b", "c", "d"};
  layout.mean_readings = Matrix::Random(4, 2);
  const auto two = with_count(layout, 2, circle(60));
  EXPECT_EQ(two.positions, layout.positions.topRows(2));
  EXPECT_EQ(two.channels, (std::vector<std::vector<int>>{{0}, {0, 1}}));
  EXPECT_EQ(two.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(two.mean_readings, layout.mean_readings.topRows(2));
  EXPECT_THAT(complaint(layout, 5), AllOf(HasSubstr("5 sensors asked for"), HasSubstr("these 4 have places")));
  EXPECT_THAT(complaint(layout, 0), HasSubstr("at least 1"));
}

TEST(SensorCount, WhatNewSensorsSeeIsNotGuessed) {
  auto layout = random_layout(circle(60), 2, 3, {0});
  layout.redraw = SensorLayout::Redraw{3, false};
  layout.channels[1] = {1};
  EXPECT_THAT(complaint(layout, 3), HasSubstr("different channels"));
}

}  // namespace
}  // namespace fluidsplat::field
