// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/surface_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "field/forces.h"
#include "field/sensors.h"
#include "field/wall.h"

namespace fluidsplat::field {
namespace {

using ::testing::HasSubstr;

Schema schema() {
  Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.channels = {{"u", ""}, {"p", ""}};
  s.features = {{"distance", ""}};
  return s;
}

constexpr int kVolume = 30, kWall = 48;

// An ellipse in a row of points far away, as one set of points, the wall last, or as two.
Case ellipse(bool separate) {
  Matrix volume(kVolume, 2), around(kWall, 2), normals(kWall, 2);
  for (int i = 0; i < kVolume; ++i) volume.row(i) << 3 + 0.1f * float(i), 1;
  for (int i = 0; i < kWall; ++i) {
    const double t = 2 * M_PI * (i * 5 % kWall) / kWall;
    around.row(i) << float(std::cos(t)), float(0.5 * std::sin(t));
    normals.row(i) << float(0.5 * std::cos(t)), float(std::sin(t));
    normals.row(i).normalize();
  }
  const auto fields = [](const Matrix& points) {
    Matrix out(points.rows(), 2);
    out.col(0) = points.col(1);
    out.col(1) = points.col(0).array() * 7 + points.col(1).array();
    return out;
  };
  auto mesh = std::make_shared<Mesh>();
  Case c;
  if (separate) {
    mesh->points = volume;
    mesh->wall = make_wall(around, Matrix::Zero(kWall, 1), normals, {});
    c.wall_fields = fields(around);
  } else {
    mesh->points.resize(kVolume + kWall, 2);
    mesh->points << volume, around;
    for (int i = 0; i < kWall; ++i) mesh->surface.push_back(kVolume + i);
    mesh->normals = normals;
  }
  c.fields = fields(mesh->points);
  mesh->features = Matrix::Zero(mesh->size(), 1);
  mesh->features.topRows(kVolume).setOnes();
  c.mesh = mesh;
  return c;
}

TEST(SurfaceView, BothKindsOfWallLookTheSame) {
  const auto one = ellipse(false), two = ellipse(true);
  const SurfaceView a(*one.mesh), b(*two.mesh);
  ASSERT_EQ(a.size(), kWall);
  ASSERT_EQ(b.size(), kWall);
  EXPECT_FALSE(a.is_separate());
  EXPECT_TRUE(b.is_separate());
  EXPECT_EQ(two.mesh->places(), one.mesh->places());
  for (Index s = 0; s < kWall; ++s) {
    EXPECT_EQ(a.place(s), b.place(s));
    EXPECT_EQ(a.position(s), b.position(s));
    EXPECT_EQ(a.normal(s), b.normal(s));
    EXPECT_EQ(b.position(s), two.mesh->position(b.place(s)));
    EXPECT_EQ(two.mesh->features_at(b.place(s))[0], 0);
    EXPECT_EQ(b.fields(two).row(s), two.values(b.place(s)));
  }
  EXPECT_EQ(a.fields(one), b.fields(two));
  EXPECT_EQ(SurfaceView(*two.mesh->wall).fields(two.wall_fields, {}), b.fields(two)) << "the wall's own wall";
  EXPECT_TRUE(SurfaceView(Mesh{}).empty());
}

TEST(SurfaceView, WhatWorksOnWallsGivesTheSameOnBoth) {
  const auto one = ellipse(false), two = ellipse(true);
  EXPECT_EQ(wall_lengths(*one.mesh), wall_lengths(*two.mesh));
  EXPECT_EQ(thin_wall(*one.mesh, 7), thin_wall(*two.mesh, 7));
  ForceSettings settings;
  settings.channel = "p";
  settings.kind = "coefficient";
  settings.length = 1;
  settings.drag_direction = {1, 0};
  const auto drag = [&](const Case& c) {
    const SurfaceView wall(*c.mesh);
    return WallForces(settings, schema(), wall, "mesh").of(wall, wall.fields(c)).drag;
  };
  EXPECT_NEAR(drag(one), -7 * M_PI * 0.5, 0.1) << "the buoyancy of the ellipse";
  EXPECT_EQ(drag(one), drag(two));

  // Sensors along the wall, drawn on it, and at given places on and off it.
  Matrix places(3, 2);
  places << 0.01f, 0.52f, 3.31f, 1.02f, 1, 0;
  auto drawn = make_layout(Matrix::Zero(5, 2), {0, 1});
  drawn.redraw = SensorLayout::Redraw{4, true};
  for (const auto& layout : {wall_layout(*one.mesh, {0, 0.25, 0.6}, {1}), drawn, make_layout(places, {0, 1})}) {
    const auto on_one = place(layout, *one.mesh, 0.2), on_two = place(layout, *two.mesh, 0.2);
    EXPECT_EQ(on_one.points, on_two.points);
    EXPECT_EQ(on_one.layout.positions, on_two.layout.positions);
    const auto a = read_sensors(one, on_one).values, b = read_sensors(two, on_two).values;
    EXPECT_EQ(a.rightCols(1), b.rightCols(1)) << "what they say of p";
  }
}

TEST(SurfaceView, SensorsFarFromMeshAndWallAreRefused) {
  Matrix places(1, 2);
  places << -1.4f, 0;
  EXPECT_THROW(place(make_layout(places, {0}), *ellipse(true).mesh, 0.2), Error);
}

std::string complaint(const std::function<void(Mesh&, Case&)>& spoil) {
  auto c = ellipse(true);
  Mesh mesh = *c.mesh;
  try {
    spoil(mesh, c);
    check_mesh(mesh, schema(), "case 3");
    c.mesh = std::make_shared<const Mesh>(mesh);
    check_case(c, schema(), "case 3");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// A copy of the wall that may be changed.
std::shared_ptr<Mesh> changed(const Mesh& mesh) {
  return std::make_shared<Mesh>(*mesh.wall);
}

TEST(SurfaceView, ASeparateWallIsChecked) {
  EXPECT_EQ(complaint([](Mesh&, Case&) {}), "");
  EXPECT_THAT(complaint([](Mesh& m, Case&) { m.surface = {0}; }), HasSubstr("keep one of the two"));
  EXPECT_THAT(complaint([](Mesh&, Case& c) { c.wall_fields.conservativeResize(3, 2); }),
              HasSubstr("on the wall are 3 x 2"));
  EXPECT_THAT(complaint([](Mesh&, Case& c) { c.wall_fields.resize(0, 0); }), HasSubstr("expected 48 points"));
  EXPECT_THAT(complaint([](Mesh& m, Case&) { m.wall = nullptr; }), HasSubstr("expected 0 points"));
  EXPECT_THAT(complaint([](Mesh&, Case& c) { c.wall_fields(5, 1) = std::nanf(""); }),
              HasSubstr("case 3, wall: channel \"p\" is not finite at point 5"));
  const auto spoil_wall = [](auto spoil) {
    return complaint([&](Mesh& m, Case&) {
      auto wall = changed(m);
      spoil(*wall);
      m.wall = wall;
    });
  };
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.features.resize(kWall, 0); }), HasSubstr("case 3, wall: features"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.normals.resize(2, 2); }), HasSubstr("case 3, wall: normals"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.areas = {1}; }), HasSubstr("case 3, wall: 1 wall areas"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.points(0, 0) = INFINITY; }), HasSubstr("case 3, wall: coordinate"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.surface.pop_back(); }), HasSubstr("list each of its 48 points"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { std::swap(w.surface[0], w.surface[1]); }), HasSubstr("in order"));
  EXPECT_THAT(spoil_wall([](Mesh& w) { w.wall = std::make_shared<Mesh>(w); }), HasSubstr("plain set"));
}

}  // namespace
}  // namespace fluidsplat::field
