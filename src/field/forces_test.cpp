// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/forces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/random.h"
#include "field/wall.h"

namespace fluidsplat::field {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Schema pressure_schema() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}, {"p", "Pa"}};
  return s;
}

// A closed curve of n points, shuffled, with outward normals; `slope` is the curve's derivative.
template <class Curve, class Slope>
Mesh body(int n, Curve curve, Slope slope) {
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  Random(3).shuffle(order);
  Mesh mesh;
  mesh.points.resize(n, 2);
  mesh.normals.resize(n, 2);
  for (int i = 0; i < n; ++i) {
    const double t = 2 * std::numbers::pi * order[i] / n;
    const Eigen::Vector2d at = curve(t), along = slope(t).normalized();
    mesh.points.row(i) << float(at[0]), float(at[1]);
    mesh.normals.row(i) << float(along[1]), float(-along[0]);
    mesh.surface.push_back(i);
  }
  return mesh;
}

Mesh ellipse(int n, double a, double b, double x = 0, double y = 0) {
  return body(
      n, [=](double t) { return Eigen::Vector2d(x + a * std::cos(t), y + b * std::sin(t)); },
      [=](double t) { return Eigen::Vector2d(-a * std::sin(t), b * std::cos(t)); });
}

ForceSettings gauge() {
  ForceSettings s;
  s.channel = "p";
  s.kind = "gauge";
  s.density = 2;
  s.velocity = 3;
  s.length = 1.5;
  s.drag_direction = {1, 0};
  s.lift_direction = {0, 1};
  s.moment_centre = {0.3, 0.1};
  return s;
}

Matrix fields_of(const Mesh& mesh, const std::function<double(double, double)>& pressure) {
  Matrix f = Matrix::Constant(mesh.size(), 2, 1e6f);  // the other channel must not matter
  for (Index i = 0; i < f.rows(); ++i) f(i, 1) = float(pressure(mesh.points(i, 0), mesh.points(i, 1)));
  return f;
}

// Gauss: the force of p = a x + b y on a body is -(a, b) times its area.
TEST(Forces, OfALinearPressureIsTheBuoyancyOfTheArea) {
  const Mesh mesh = ellipse(400, 1.0, 0.4);
  const double area = std::numbers::pi * 0.4, q = 0.5 * 2 * 9;
  const auto f = fields_of(mesh, [](double x, double y) { return 7 + 5 * x - 2 * y; });
  const auto c = WallForces(gauge(), pressure_schema(), mesh, "mesh").of(mesh, f);
  EXPECT_NEAR(c.drag, -5 * area / (q * 1.5), 1e-3);
  EXPECT_NEAR(c.lift, 2 * area / (q * 1.5), 1e-3);
  // The buoyancy acts at the centroid, the origin: the moment about (0.3, 0.1) is r x F with r = -(0.3, 0.1).
  EXPECT_NEAR(*c.moment, (-0.3 * 2 * area - 0.1 * 5 * area) / (q * 1.5 * 1.5), 1e-3);
}

TEST(Forces, OfPotentialFlowVanishAndWithCirculationObeyKuttaJoukowski) {
  const Mesh mesh = ellipse(720, 0.5, 0.5);
  const double circulation = -0.8;  // clockwise: lifts
  auto settings = gauge();
  settings.kind = "coefficient";
  settings.length = 1;
  const auto f = fields_of(mesh, [&](double x, double y) {
    const double speed = -2 * y / 0.5 + circulation / std::numbers::pi;
    (void)x;
    return 1 - speed * speed;
  });
  const auto c = WallForces(settings, pressure_schema(), mesh, "mesh").of(mesh, f);
  EXPECT_NEAR(c.drag, 0, 1e-3);
  EXPECT_NEAR(c.lift, -2 * circulation, 2e-3);
}

TEST(Forces, KindsOfPressureAgree) {
  const Mesh mesh = ellipse(100, 1, 1);
  const auto p = [](double x, double y) { return 3 * x + y * y; };
  auto settings = gauge();
  const auto gauged = WallForces(settings, pressure_schema(), mesh, "m").of(mesh, fields_of(mesh, p));
  settings.kind = "absolute";
  settings.reference_pressure = 1000;
  const auto absolute =
      WallForces(settings, pressure_schema(), mesh, "m").of(mesh, fields_of(mesh, [&](double x, double y) {
                                                              return 1000 + p(x, y);
                                                            }));
  settings.kind = "kinematic";
  const auto kinematic =
      WallForces(settings, pressure_schema(), mesh, "m").of(mesh, fields_of(mesh, [&](double x, double y) {
                                                              return p(x, y) / 2;
                                                            }));
  EXPECT_NEAR(absolute.drag, gauged.drag, 1e-4);
  EXPECT_NEAR(kinematic.drag, gauged.drag, 1e-6);
  EXPECT_NEAR(kinematic.lift, gauged.lift, 1e-6);
}

TEST(Forces, NothingIsGuessed) {
  const auto message = [](const std::function<void(ForceSettings&)>& spoil, const Reference& reference = {}) {
    auto s = gauge();
    spoil(s);
    try {
      s.check(pressure_schema());
      s.with(reference, "case 7");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_THAT(message([](auto& s) { s.channel = "pressure"; }), HasSubstr("its channels are: u, p"));
  EXPECT_THAT(message([](auto& s) { s.kind = ""; }), HasSubstr("forces.kind"));
  EXPECT_THAT(message([](auto& s) { s.density = 0; }), AllOf(HasSubstr("forces.density"), HasSubstr("case 7")));
  EXPECT_THAT(message([](auto& s) { s.velocity = 0; }), AllOf(HasSubstr("forces.velocity"), HasSubstr("case 7")));
  EXPECT_THAT(message([](auto& s) { s.velocity = -1; }), HasSubstr("forces.velocity"));
  EXPECT_THAT(message([](auto& s) { s.length = 0; }), HasSubstr("forces.length"));
  EXPECT_THAT(message([](auto& s) { s.drag_direction = {0, 0}; }), HasSubstr("forces.drag_direction"));
  EXPECT_THAT(message([](auto& s) { s.drag_direction = {}; }),
              AllOf(HasSubstr("forces.drag_direction"), HasSubstr("case 7")));
  EXPECT_THAT(message([](auto& s) { s.lift_direction = {1}; }), HasSubstr("forces.lift_direction"));
  EXPECT_THAT(message([](auto& s) { s.drag_direction = {}; }, {0, 0, {0, 2}}),
              HasSubstr("along the free stream of case 7"));
  EXPECT_EQ(
      message([](auto& s) { s.density = s.velocity = 0, s.drag_direction = s.lift_direction = {}; }, {3, 2, {1, 0}}),
      "")
      << "the data know";
  auto space = gauge();
  space.drag_direction = {1, 0, 0};
  space.lift_direction = {};
  space.moment_centre = {};
  Schema schema = pressure_schema();
  schema.coordinates.push_back({"z", "m"});
  EXPECT_THROW(space.check(schema), Error) << "in space there is no one direction of lift";
  Mesh bare = ellipse(10, 1, 1);
  bare.surface.clear();
  bare.normals.resize(0, 0);
  EXPECT_THROW(WallForces(gauge(), pressure_schema(), bare, "mesh"), Error);
}

// A flow and its copy that is turned as a whole, in a stream that is faster: the coefficients are the same.
TEST(Forces, FollowTheFreeStreamOfTheCase) {
  const auto pressure = [](double x, double y) { return 4 * x - 3 * y + x * x * y; };
  const Mesh mesh = ellipse(300, 1.0, 0.4);
  ForceSettings settings = gauge();
  settings.moment_centre = {0, 0};
  settings.lift_direction = {};
  const auto straight = WallForces(settings, pressure_schema(), mesh, "m").of(mesh, fields_of(mesh, pressure));
  EXPECT_GT(std::abs(straight.drag), 0.1);
  EXPECT_GT(std::abs(straight.lift), 0.1);
  settings.velocity = settings.density = 0;
  settings.drag_direction = {};
  for (double angle : {0.0, 0.3, 1.8, 3.5}) {
    const double c = std::cos(angle), s = std::sin(angle), faster = 2.5;
    Mesh turned = mesh;
    for (Index i = 0; i < mesh.size(); ++i)
      for (auto [from, to] : {std::pair{&mesh.points, &turned.points}, {&mesh.normals, &turned.normals}}) {
        (*to)(i, 0) = float(c * (*from)(i, 0) - s * (*from)(i, 1));
        (*to)(i, 1) = float(s * (*from)(i, 0) + c * (*from)(i, 1));
      }
    const Matrix fields = fields_of(
        turned, [&](double x, double y) { return faster * faster * pressure(c * x + s * y, -s * x + c * y); });
    const Reference stream{3 * faster, 2, {10 * c, 10 * s}};
    const auto f = WallForces(settings, pressure_schema(), turned, "m").of(turned, fields, stream);
    EXPECT_NEAR(f.drag, straight.drag, 1e-5) << angle;
    EXPECT_NEAR(f.lift, straight.lift, 1e-5) << angle;
    EXPECT_NEAR(*f.moment, *straight.moment, 1e-5) << angle;
  }
}

TEST(Forces, SettingsWinOverTheCaseAndAGivenLiftIsTurnedToTheStream) {
  const Reference stream{7, 9, {1, 1}};
  const auto said = gauge().with(stream, "case");
  EXPECT_EQ(said.velocity, 3);
  EXPECT_EQ(said.density, 2);
  EXPECT_EQ(said.drag_direction, (std::vector<double>{1, 0}));
  EXPECT_EQ(said.lift_direction, (std::vector<double>{0, 1}));
  auto open = gauge();
  open.drag_direction = {};
  open.lift_direction = {0, -5};
  const auto turned = open.with(stream, "case");
  EXPECT_EQ(turned.drag_direction, stream.direction);
  EXPECT_GT(turned.lift_direction[0], 0.1);
  EXPECT_NEAR(turned.lift_direction[1], -turned.lift_direction[0], 1e-12) << "downward still, and across the stream";
}

TEST(Wall, CurveGoesOnceAroundEachBody) {
  Mesh mesh = ellipse(60, 1, 1);
  const Mesh other = ellipse(40, 0.5, 0.5, 4, 0);
  const auto n = mesh.points.rows();
  mesh.points.conservativeResize(n + 40, 2);
  mesh.points.bottomRows(40) = other.points;
  mesh.normals.conservativeResize(n + 40, 2);
  mesh.normals.bottomRows(40) = other.normals;
  for (int i = 0; i < 40; ++i) mesh.surface.push_back(n + i);
  const auto curves = wall_curves(mesh);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_NEAR(curves[0].length, 2 * std::numbers::pi, 0.01);
  EXPECT_NEAR(curves[1].length, std::numbers::pi, 0.01);
  EXPECT_TRUE(curves[0].closed && curves[1].closed);
  double sum = 0;
  for (double l : wall_lengths(mesh)) sum += l;
  EXPECT_NEAR(sum, curves[0].length + curves[1].length, 1e-9);
}

// The two sides of a thin plate are nearer to each other than neighbours along it.
TEST(Wall, ThinBodiesAreNotCutAcross) {
  const Mesh mesh = body(
      200,
      [](double t) {
        const double c = std::cos(t);
        return Eigen::Vector2d(c, 0.004 * std::sin(t));
      },
      [](double t) { return Eigen::Vector2d(-std::sin(t), 0.004 * std::cos(t)); });
  const auto curves = wall_curves(mesh);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_NEAR(curves[0].length, 4, 0.02);
}

// The pixels next to a disc are a staircase; the wall they stand for is not.
TEST(Wall, PixelsNextToADiscHaveTheLengthOfACircle) {
  Mesh mesh;
  std::vector<std::array<float, 2>> ring;
  for (int j = -30; j <= 30; ++j)
    for (int i = -30; i <= 30; ++i) {
      const auto inside = [](int a, int b) { return std::hypot(a, b) < 20; };
      if (!inside(i, j) && (inside(i + 1, j) || inside(i - 1, j) || inside(i, j + 1) || inside(i, j - 1)))
        ring.push_back({float(i), float(j)});
    }
  const auto n = std::ssize(ring);
  mesh.points.resize(n, 2);
  mesh.normals.resize(n, 2);
  double radius = 0;
  for (Index k = 0; k < n; ++k) {
    mesh.points.row(k) << ring[k][0], ring[k][1];
    mesh.normals.row(k) = mesh.points.row(k) / mesh.points.row(k).norm();
    radius += mesh.points.row(k).norm() / double(n);
    mesh.surface.push_back(k);
  }
  const auto curves = wall_curves(mesh);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_NEAR(curves[0].length, 2 * std::numbers::pi * radius, 0.02 * 2 * std::numbers::pi * radius);
}

TEST(Wall, AnOpenCurveHasTwoEnds) {
  Mesh mesh;
  mesh.points.resize(21, 2);
  for (int i = 0; i < 21; ++i) {
    mesh.points.row(i) << float((i * 8) % 21) / 20.0f, 0.0f;
    mesh.surface.push_back(i);
  }
  const auto curves = wall_curves(mesh);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_FALSE(curves[0].closed);
  EXPECT_NEAR(curves[0].length, 1, 1e-6);
}

}  // namespace
}  // namespace fluidsplat::field
