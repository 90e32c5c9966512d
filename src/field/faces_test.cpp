// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/faces.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.h"
#include "field/forces.h"

namespace fluidsplat::field {
namespace {

using std::numbers::pi;

struct Surface {
  Matrix points;
  Faces faces;
};

// A sphere of `rings` bands of quadrilaterals, cut into triangles when asked, with triangles at the poles.
Surface sphere(int rings, double radius, const Eigen::Vector3d& centre, bool triangles = true) {
  Surface out;
  const int around = 2 * rings;
  out.points.resize((rings - 1) * around + 2, 3);
  const auto put = [&](Index i, double polar, double turn) {
    const Eigen::Vector3d p = centre + radius * Eigen::Vector3d(std::sin(polar) * std::cos(turn),
                                                                std::sin(polar) * std::sin(turn), std::cos(polar));
    out.points.row(i) = p.transpose().cast<float>();
  };
  for (int r = 1; r < rings; ++r)
    for (int a = 0; a < around; ++a) put((r - 1) * around + a, pi * r / rings, 2 * pi * a / around);
  const Index north = out.points.rows() - 2, south = north + 1;
  put(north, 0, 0);
  put(south, pi, 0);
  const auto at = [&](int r, int a) { return Index{r - 1} * around + a % around; };
  for (int a = 0; a < around; ++a) {
    out.faces.add({north, at(1, a), at(1, a + 1)});
    out.faces.add({south, at(rings - 1, a + 1), at(rings - 1, a)});
    for (int r = 1; r + 1 < rings; ++r)
      if (triangles) {
        out.faces.add({at(r, a), at(r + 1, a), at(r + 1, a + 1)});
        out.faces.add({at(r, a), at(r + 1, a + 1), at(r, a + 1)});
      } else {
        out.faces.add({at(r, a), at(r + 1, a), at(r + 1, a + 1), at(r, a + 1)});
      }
  }
  return out;
}

// A box of twelve triangles.
Surface box(double x, double y, double z) {
  Surface out;
  out.points.resize(8, 3);
  for (int i = 0; i < 8; ++i) out.points.row(i) << float(i & 1 ? x : 0), float(i & 2 ? y : 0), float(i & 4 ? z : 0);
  for (const auto& q :
       {std::array<int, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    out.faces.add({q[0], q[1], q[2]});
    out.faces.add({q[0], q[2], q[3]});
  }
  return out;
}

void spoil(Faces& faces, double share, std::uint64_t seed) {
  Random random(seed);
  for (Index f = 0; f < faces.size(); ++f)
    if (random.uniform() < share)
      std::reverse(faces.corners.begin() + faces.offsets[f],
                   faces.corners.begin() + faces.offsets[static_cast<std::size_t>(f) + 1]);
}

Eigen::RowVector3d sum_of(const Patches& p) {
  Eigen::RowVector3d out = Eigen::RowVector3d::Zero();
  for (std::size_t i = 0; i < p.areas.size(); ++i) out += p.areas[i] * p.normals.row(i).cast<double>();
  return out;
}

double total(const Patches& p) {
  return std::accumulate(p.areas.begin(), p.areas.end(), 0.0);
}

// The force of a pressure on a body whose every point is wall, for q = length = 1.
Eigen::RowVector3d force(const Surface& s, const std::function<double(const Eigen::RowVector3f&)>& p) {
  auto faces = s.faces;
  orient(faces, s.points);
  const auto patches = point_patches(faces, s.points);
  Mesh mesh;
  mesh.points = s.points;
  mesh.surface.resize(s.points.rows());
  std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
  mesh.normals = patches.normals;
  mesh.areas = patches.areas;
  Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}};
  schema.channels = {{"p", ""}};
  Matrix fields(mesh.size(), 1);
  for (Index i = 0; i < fields.rows(); ++i) fields(i, 0) = float(p(s.points.row(i)));
  Eigen::RowVector3d out;
  for (std::size_t a = 0; a < 3; ++a) {
    ForceSettings settings;
    settings.channel = "p";
    settings.kind = "coefficient";
    settings.length = 1;
    settings.drag_direction = {0, 0, 0};
    settings.drag_direction[a] = 1;
    settings.lift_direction = {0, 0, 1};
    out[a] = WallForces(settings, schema, mesh, "body").of(mesh, fields).drag;
  }
  return out;
}

TEST(Faces, ASphereHasItsAreaAndLooksOutwardWhateverTheFileSays) {
  for (const bool triangles : {true, false})
    for (const double share : {0.0, 0.5, 1.0}) {
      auto s = sphere(40, 1.5, {3, -2, 7}, triangles);
      spoil(s.faces, share, 5);
      const auto found = orient(s.faces, s.points);
      EXPECT_EQ(found.bodies, 1);
      EXPECT_EQ(found.open, 0);
      const double area = 4 * pi * 1.5 * 1.5;
      for (const auto& patches : {point_patches(s.faces, s.points), face_patches(s.faces, s.points)}) {
        EXPECT_NEAR(total(patches), area, 0.005 * area);
        EXPECT_LT(sum_of(patches).norm(), 1e-5 * area);
      }
      const auto patches = point_patches(s.faces, s.points);
      for (Index i = 0; i < s.points.rows(); ++i) {
        const Eigen::RowVector3f radial = (s.points.row(i) - Eigen::RowVector3f(3, -2, 7)) / 1.5f;
        ASSERT_GT(patches.normals.row(i).dot(radial), 0.99f) << "point " << i;
      }
    }
}

// Gauss: p = a x pushes with -a times the volume along x, a constant pressure with nothing.  On flat triangles this
// holds for their own volume exactly, edges and corners included.
TEST(Faces, ForcesObeyTheDivergenceTheorem) {
  const auto ball = sphere(40, 1.5, {3, -2, 7});
  const double volume = 4.0 / 3 * pi * 1.5 * 1.5 * 1.5;
  EXPECT_LT(force(ball, [](const auto&) { return 100.0; }).norm(), 1e-3);
  const auto f = force(ball, [](const auto& p) { return 2 * p[0] + p[2]; });
  EXPECT_NEAR(f[0], -2 * volume, 0.01 * volume);
  EXPECT_NEAR(f[1], 0, 0.001 * volume);
  EXPECT_NEAR(f[2], -volume, 0.01 * volume);
  const auto brick = box(2, 3, 5);
  EXPECT_LT(force(brick, [](const auto&) { return 100.0; }).norm(), 1e-3);
  EXPECT_NEAR(force(brick, [](const auto& p) { return p[1]; })[1], -30, 1e-4);
}

TEST(Faces, CornersNeedNotBeShared) {
  const auto joined = sphere(8, 1, {0, 0, 0});
  Surface loose;  // every triangle with points of its own, as in an STL file
  loose.points.resize(3 * joined.faces.size(), 3);
  for (Index i = 0; i < loose.points.rows(); ++i) loose.points.row(i) = joined.points.row(joined.faces.corners[i]);
  for (Index f = 0; f < joined.faces.size(); ++f) loose.faces.add({3 * f, 3 * f + 1, 3 * f + 2});
  spoil(loose.faces, 0.4, 9);
  const auto found = orient(loose.faces, loose.points);
  EXPECT_EQ(found.bodies, 1);
  EXPECT_EQ(found.open, 0);
  const auto patches = point_patches(loose.faces, loose.points);
  for (Index i = 0; i < loose.points.rows(); ++i) ASSERT_GT(patches.normals.row(i).dot(loose.points.row(i)), 0.8f);
}

TEST(Faces, EveryBodyLooksOutwardAndOpenOnesKeepTheirSide) {
  auto two = sphere(6, 1, {0, 0, 0});
  const auto other = sphere(6, 1, {5, 0, 0});
  const auto n = two.points.rows();
  two.points.conservativeResize(2 * n, 3);
  two.points.bottomRows(n) = other.points;
  for (Index f = 0; f < other.faces.size(); ++f)  // the second inside out
    two.faces.add(
        {other.faces.corners[3 * f + 2] + n, other.faces.corners[3 * f + 1] + n, other.faces.corners[3 * f] + n});
  EXPECT_EQ(orient(two.faces, two.points).bodies, 2);
  const auto patches = point_patches(two.faces, two.points);
  EXPECT_GT(patches.normals.row(0).dot(two.points.row(0)), 0);
  EXPECT_GT(patches.normals.row(n).dot(two.points.row(n) - Eigen::RowVector3f(5, 0, 0)), 0);

  // A sheet in the plane z = 0 whose faces look down, but for one.
  Surface sheet;
  sheet.points.resize(8, 3);
  for (int i = 0; i < 8; ++i) sheet.points.row(i) << float(i / 2), float(i % 2), 0.0f;
  sheet.faces.add({0, 2, 3, 1});
  sheet.faces.add({2, 3, 5, 4});
  sheet.faces.add({4, 5, 7, 6});
  const auto found = orient(sheet.faces, sheet.points);
  EXPECT_EQ(found.bodies, 1);
  EXPECT_EQ(found.open, 1);
  for (Index i = 0; i < 8; ++i)
    EXPECT_EQ(point_patches(sheet.faces, sheet.points).normals.row(i), (Eigen::RowVector3f(0, 0, -1)));
  EXPECT_NEAR(total(point_patches(sheet.faces, sheet.points)), 3, 1e-6);
}

}  // namespace
}  // namespace fluidsplat::field
