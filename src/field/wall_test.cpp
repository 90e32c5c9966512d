// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "field/sensor_file.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Points of an ellipse in random order, all on the wall, with their normals.
Mesh ellipse(int n, double a, double b, double x = 0, std::uint64_t seed = 1) {
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  Random(seed).shuffle(order);
  Mesh mesh;
  mesh.points.resize(n, 2);
  mesh.features.resize(n, 0);
  mesh.normals.resize(n, 2);
  for (int i = 0; i < n; ++i) {
    const double t = 2 * M_PI * order[i] / n;
    mesh.points.row(i) << float(x + a * std::cos(t)), float(b * std::sin(t));
    mesh.normals.row(i) << float(std::cos(t) / a), float(std::sin(t) / b);
    mesh.normals.row(i).normalize();
    mesh.surface.push_back(i);
  }
  return mesh;
}

TEST(Wall, AWalkAroundACircleIsCounterClockwiseFromTheRight) {
  const auto mesh = ellipse(200, 1, 1);
  const auto walk = walk_wall(mesh);
  EXPECT_NEAR(walk.perimeter, 2 * M_PI, 1e-3);
  for (double fraction : {0.0, 0.125, 0.25, 0.5, 0.8, 0.999}) {
    const auto p = mesh.points.row(wall_point(walk, fraction));
    EXPECT_NEAR(p[0], std::cos(2 * M_PI * fraction), 0.04) << fraction;
    EXPECT_NEAR(p[1], std::sin(2 * M_PI * fraction), 0.04) << fraction;
  }
  EXPECT_THROW(wall_point(walk, 1.5), Error);
}

// Opposite sides of a thin body are nearer to each other than neighbours on one side.
TEST(Wall, NormalsKeepTheWalkOnOneSideOfAThinBody) {
  const auto mesh = ellipse(120, 1, 0.02);
  const auto walk = walk_wall(mesh);
  EXPECT_NEAR(walk.perimeter, 4.0, 0.05);
  const auto top = mesh.points.row(wall_point(walk, 0.25)), bottom = mesh.points.row(wall_point(walk, 0.75));
  EXPECT_GT(top[1], 0.015f);
  EXPECT_LT(bottom[1], -0.015f);
}

TEST(Wall, BodiesFollowEachOtherAndTheWayBetweenCountsNothing) {
  auto mesh = ellipse(100, 1, 1, 5);
  const auto other = ellipse(100, 1, 1, 0, 2);
  Mesh both;
  both.points.resize(200, 2);
  both.points << mesh.points, other.points;
  for (int i = 0; i < 200; ++i) both.surface.push_back(i);
  const auto walk = walk_wall(both);
  EXPECT_NEAR(walk.perimeter, 4 * M_PI, 0.02);
  EXPECT_GT(both.points(wall_point(walk, 0.25), 0), 3.9f);
  EXPECT_LT(both.points(wall_point(walk, 0.75), 0), 1.1f);
}

TEST(Wall, SensorsAlongItAreFoundOnEveryMesh) {
  const auto small = ellipse(100, 1, 0.5), large = ellipse(150, 3, 2, 1);
  const auto layout = wall_layout(small, {0, 0.25, 0.5}, {0});
  EXPECT_NEAR(layout.positions(1, 1), 0.5, 0.02);
  const auto on_large = place(layout, large, 0).layout;
  EXPECT_NEAR(on_large.positions(0, 0), 4, 0.1);
  EXPECT_NEAR(on_large.positions(1, 1), 2, 0.1);
  EXPECT_NEAR(on_large.positions(2, 0), -2, 0.1);
  Mesh no_wall = small;
  no_wall.surface.clear();
  EXPECT_THROW(place(layout, no_wall, 0), Error);
}

Schema plane_schema() {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"v", ""}, {"p", ""}};
  return s;
}

TEST(SensorFile, PositionsNamesAndChannels) {
  TemporaryFolder folder;
  const auto mesh = ellipse(50, 1, 1);
  const auto write = [&](const char* text) { write_file(folder / "s.csv", text); };
  const auto read = [&] { return read_sensor_csv(folder / "s.csv", plane_schema(), mesh, {0, 1, 2}); };
  const auto error = [&](const char* text) -> std::string {
    write(text);
    try {
      read();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  write("name,x,y,channels\nnose,1,0,p\ntail,-1,0.5,u;v\nmid,0,1,\n");
  const auto layout = read();
  EXPECT_EQ(layout.size(), 3);
  EXPECT_EQ(layout.positions(1, 1), 0.5f);
  EXPECT_EQ(layout.names[0], "nose");
  EXPECT_EQ(layout.channels, (std::vector<std::vector<int>>{{2}, {0, 1}, {0, 1, 2}}));
  write("arclength\n0\n0.25\n");
  EXPECT_NEAR(read().positions(1, 1), 1, 0.1);
  EXPECT_THAT(error("x,z\n1,2\n"), AllOf(HasSubstr("s.csv"), HasSubstr("no column \"y\""), HasSubstr("x, z")));
  EXPECT_THAT(error("x,y\n1,here\n"), AllOf(HasSubstr("sensor 1"), HasSubstr("\"here\"")));
  EXPECT_THAT(error("x,y\n1,\n"), HasSubstr("not a number"));
  EXPECT_THAT(error("x,y,channels\n1,0,q\n"), AllOf(HasSubstr("sensor 1"), HasSubstr("\"q\""), HasSubstr("u, v, p")));
  EXPECT_THAT(error("x,y\n"), HasSubstr("no sensors"));
  EXPECT_THAT(error("arclength\n25\n"), HasSubstr("0 to 1"));
  EXPECT_THAT(error("name,x,y\na,1,0\nb,0,1\na,-1,0\n"), HasSubstr("sensors 1 and 3 are both called \"a\""));
  EXPECT_THAT(error("name,x,y\ns2,1,0\n,0,1\n"), HasSubstr("sensors 1 and 2 are both called \"s2\""))
      << "which is what the second is called without a name";
}

}  // namespace
}  // namespace fluidsplat::field
