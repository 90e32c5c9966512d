// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/wall_shear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "field/nearest_wall.h"

namespace fluidsplat::field {
namespace {

Schema schema() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"v", "m/s"}, {"p", ""}};
  s.descriptors = {{"Reynolds", ""}};
  return s;
}

// Rings of points around the unit circle, the first at `first` from the wall; the wall apart from them.
Mesh rings(double first, Index around = 200) {
  Mesh mesh;
  mesh.points.resize(3 * around, 2);
  Matrix wall(around, 2);
  for (Index i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(around);
    wall.row(i) << float(std::cos(angle)), float(std::sin(angle));
    for (Index ring = 0; ring < 3; ++ring)
      mesh.points.row(ring * around + i) = float(1 + first * double(ring + 1)) * wall.row(i);
  }
  const Matrix normals = wall;
  mesh.wall = make_wall(wall, {}, normals, {});
  return mesh;
}

// The shear of u = (r - 1) along x: only its part along the wall counts, which pulls on the two flanks.
TEST(WallShear, IsTheSlopeAlongTheWall) {
  const Mesh mesh = rings(0.01);
  Matrix fields = Matrix::Zero(mesh.size(), 3);
  for (Index i = 0; i < mesh.size(); ++i) fields(i, 0) = 3 * (mesh.points.row(i).norm() - 1);
  const WallShear shear(mesh, schema(), "here");
  EXPECT_NEAR(shear.covered(), 1, 1e-9);
  const auto sum = shear.of(fields);
  // The integral of 3 sin^2 over the circle.
  EXPECT_NEAR(sum[0], 3 * std::numbers::pi, 0.01);
  EXPECT_NEAR(sum[1], 0, 0.01);

  ForceSettings settings;
  settings.channel = "p";
  settings.kind = "coefficient";
  settings.length = 2;
  settings.reynolds = "Reynolds";
  Vector descriptors(1);
  descriptors << 100;
  ForceCoefficients forces;
  add_friction(forces, shear, fields, settings, schema(), descriptors, {4, 1, {0, 1}}, "here");
  // Along y nothing pulls; the stream's left is -x.
  EXPECT_NEAR(*forces.friction_drag, 0, 1e-3);
  EXPECT_NEAR(*forces.friction_lift, -2.0 / (100 * 4) * 3 * std::numbers::pi, 1e-3);
}

TEST(WallShear, RefusesDataThatCannotShowIt) {
  auto other = schema();
  other.channels = {{"p", ""}};
  EXPECT_THROW(WallShear(rings(0.01), other, "here"), Error);
  Mesh far = rings(0.01);
  far.points.array() += 5;  // no point above the wall
  EXPECT_THROW(WallShear(far, schema(), "here"), Error);
  ForceSettings settings;
  settings.channel = "p";
  settings.kind = "coefficient";
  settings.length = 1;
  settings.reynolds = "Re";
  EXPECT_THROW(settings.check(schema()), Error);
}

TEST(NearestWall, FindsWhatSearchingAllFinds) {
  const Mesh mesh = rings(0.3, 37);
  const SurfaceView wall(mesh);
  const NearestWall nearest(wall);
  for (Index i = 0; i < mesh.size(); i += 5) {
    const Eigen::RowVectorXf p = mesh.points.row(i) + Eigen::RowVector2f(0.03f, -0.11f);
    float least = 1e9f;
    for (Index s = 0; s < wall.size(); ++s) least = std::min(least, (wall.position(s) - p).norm());
    const auto found = nearest(p);
    EXPECT_NEAR(found.distance, least, 1e-6);
    EXPECT_NEAR((wall.position(found.wall_point) - p).norm(), least, 1e-6);
  }
}

}  // namespace
}  // namespace fluidsplat::field
