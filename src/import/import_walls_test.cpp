// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "field/forces.h"
#include "import/import_fixture.h"
#include "io/npz.h"
#include "io/vtk.h"

namespace fluidsplat::importing {
namespace {

using std::numbers::pi;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kRings = 32, kAround = 64;
constexpr double kRadius = 2, kVolume = 4.0 / 3 * pi * kRadius * kRadius * kRadius, kArea = 4 * pi * kRadius * kRadius;

// A ball about (1, 2, 3) whose pressure is x; faces look inward, as a careless program writes them.
io::VtkMesh ball() {
  io::VtkMesh mesh;
  mesh.kind = io::VtkKind::poly;
  mesh.offsets = {0};
  io::VtkArray p{"p", 1, {}}, inward{"n_in", 3, {}}, third{"third", 1, {}};
  const auto put = [&](double polar, double turn) {
    const double n[3] = {std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)};
    const double x = 1 + kRadius * n[0];
    mesh.points.insert(mesh.points.end(), {x, 2 + kRadius * n[1], 3 + kRadius * n[2]});
    p.values.push_back(x);
    inward.values.insert(inward.values.end(), {-n[0], -n[1], -n[2]});
    third.values.push_back(1.0 / 3);
  };
  for (int r = 1; r < kRings; ++r)
    for (int a = 0; a < kAround; ++a) put(pi * r / kRings, 2 * pi * a / kAround);
  put(0, 0);
  put(pi, 0);
  const Index north = (kRings - 1) * kAround, south = north + 1;
  const auto at = [&](int r, int a) { return Index{r - 1} * kAround + a % kAround; };
  for (int a = 0; a < kAround; ++a) {
    mesh.add_cell(io::kVtkTriangle, {north, at(1, a + 1), at(1, a)});
    mesh.add_cell(io::kVtkTriangle, {south, at(kRings - 1, a), at(kRings - 1, a + 1)});
    for (int r = 1; r + 1 < kRings; ++r)
      mesh.add_cell(io::kVtkQuad, {at(r, a), at(r, a + 1), at(r + 1, a + 1), at(r + 1, a)});
  }
  mesh.point_data = {p, inward, third};
  io::VtkArray middle{"p_cell", 1, {}};
  for (Index c = 0; c < mesh.cell_count(); ++c) {
    const auto first = mesh.offsets[c], last = mesh.offsets[static_cast<std::size_t>(c) + 1];
    double sum = 0;
    for (auto i = first; i < last; ++i) sum += p.values[mesh.connectivity[i]];
    middle.values.push_back(sum / double(last - first));
  }
  mesh.cell_data = {middle};
  return mesh;
}

class WallFaces : public ImportFixture {
 protected:
  Recipe recipe(const std::string& file, const std::string& array = "p") {
    auto r = ImportFixture::recipe(file);
    r.arrays = {array};
    r.surface = "all";
    return r;
  }
  // The drag along x for q = reference area = 1.
  double push(Index index = 0) {
    const auto data = result();
    const auto c = data.load(index);
    field::ForceSettings s;
    s.channel = data.schema().channels[0].name;
    s.kind = "coefficient";
    s.length = 1;
    s.drag_direction = {1, 0, 0};
    s.lift_direction = {0, 0, 1};
    const field::SurfaceView wall(*c.mesh);
    return field::WallForces(s, data.schema(), wall, "mesh").of(wall, wall.fields(c)).drag;
  }
  double area() {
    const auto mesh = result().mesh(0);
    return std::accumulate(mesh->areas.begin(), mesh->areas.end(), 0.0);
  }
};

// Gauss: p = x pushes with minus the volume.
TEST_F(WallFaces, PolygonsGiveNormalsOutwardAndAreas) {
  io::write_vtk(folder_ / "ball.vtp", ball());
  const auto report = import(recipe("ball.vtp"));
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_NEAR(area(), kArea, 0.005 * kArea);
  EXPECT_NEAR(push(), -kVolume, 0.01 * kVolume);

  auto cells = recipe("ball.vtp", "p_cell");
  cells.on = "cells";
  import(cells);
  EXPECT_EQ(result().mesh(0)->size(), kAround * kRings);
  EXPECT_NEAR(area(), kArea, 0.005 * kArea);
  EXPECT_NEAR(push(), -kVolume, 0.01 * kVolume);
}

TEST_F(WallFaces, WhatTheFileSaysComesFirst) {
  io::write_vtk(folder_ / "ball.vtp", ball());
  auto r = recipe("ball.vtp");
  r.normals = "n_in";
  import(r);
  EXPECT_NEAR(push(), kVolume, 0.01 * kVolume) << "the file's normals, the faces' areas";
  r.areas = "third";
  import(r);
  EXPECT_NEAR(area(), double(result().mesh(0)->size()) / 3, 1e-3);
  r.areas = "n_in";
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("ball.vtp"), HasSubstr("\"n_in\""), HasSubstr("area")));
}

// The shape's features come after the user's own: normals as the wall has them, and how far points stand out.
TEST_F(WallFaces, TheShapeOfASurfaceBecomesFeatures) {
  io::write_vtk(folder_ / "ball.vtp", ball());
  auto r = recipe("ball.vtp");
  r.features = {"third"};
  r.shape = true;
  import(r);
  const auto data = result();
  const auto mesh = data.mesh(0);
  ASSERT_EQ(data.schema().features.size(), 7u);
  EXPECT_EQ(data.schema().features[0].name, "third");
  EXPECT_EQ(data.schema().features[2].name, "normal_y");
  EXPECT_EQ(mesh->features.col(0).minCoeff(), 1.0f / 3);
  for (Index k = 0; k < mesh->size(); ++k)
    EXPECT_EQ(mesh->features.row(mesh->surface[k]).segment(1, 3), mesh->normals.row(k));
  EXPECT_GT(mesh->features.rightCols(1).minCoeff(), 0);

  r.surface = "none";
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("ball"), HasSubstr("shape = true"), HasSubstr("surface = all")));
}

TEST_F(WallFaces, StripsAndOpenSurfaces) {
  // A strip of two triangles in the plane z = 1, looking up, in a box that is not flat.
  io::VtkMesh mesh;
  mesh.kind = io::VtkKind::poly;
  mesh.offsets = {0};
  mesh.points = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 5, 5, 5};
  mesh.add_cell(io::kVtkTriangleStrip, {0, 1, 2, 3});
  mesh.point_data = {{"p", 1, {1, 2, 1, 1, 1}}};
  io::write_vtk(folder_ / "sheet.vtp", mesh);
  const auto report = import(recipe("sheet.vtp"));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], AllOf(HasSubstr("sheet.vtp"), HasSubstr("open"), HasSubstr("normals = NAME")));
  const auto wall = result().mesh(0);
  EXPECT_EQ(wall->normals.row(3), (Eigen::RowVector3f(0, 0, 1)));
  EXPECT_NEAR(area(), 1, 1e-6);
  EXPECT_EQ(wall->areas[4], 0) << "no face there";
  EXPECT_NEAR(wall->areas[0], 1.0 / 6, 1e-6) << "a corner of one triangle";
  EXPECT_NEAR(wall->areas[1], 1.0 / 3, 1e-6) << "a corner of both";
}

TEST_F(WallFaces, ASurfaceThatIsNotCalledAWallIsPointedOut) {
  io::write_vtk(folder_ / "ball.vtp", ball());
  auto r = recipe("ball.vtp");
  r.surface = "no-data";
  const auto report = import(r);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("surface = all"));
  EXPECT_THAT(result().mesh(0)->surface, IsEmpty());
}

// The same ball as arrays; the second case is twice as large, padded, and lacks a point's value.
TEST_F(WallFaces, FacesOfArrays) {
  const auto vtk = ball();
  const auto n = vtk.point_count(), padded = n + 3;
  std::vector<float> points, p, faces;
  for (int scale : {1, 2})
    for (Index i = 0; i < padded; ++i) {
      for (Index a = 0; a < 3; ++a)
        points.push_back(i < n ? float(scale * vtk.points[3 * i + a]) : std::numeric_limits<float>::quiet_NaN());
      p.push_back(points[points.size() - 3]);
    }
  for (int repeat = 0; repeat < 2; ++repeat)
    for (Index c = 0; c < vtk.cell_count(); ++c)
      for (Index k = 0; k < 4; ++k) {
        const auto at = vtk.offsets[c] + k;
        faces.push_back(at < vtk.offsets[static_cast<std::size_t>(c) + 1] ? float(vtk.connectivity[at]) : -1.0f);
      }
  const auto write = [&] {
    io::write_npz(folder_ / "balls.npz", {{"p", io::Array::from<float>({2, padded}, p)},
                                          {"xyz", io::Array::from<float>({2, padded, 3}, points)},
                                          {"faces", io::Array::from<float>({2, vtk.cell_count(), 4}, faces)}});
  };
  write();
  auto r = recipe("balls.npz");
  r.points = "xyz";
  r.faces = "faces";
  r.surface = "no-data";  // the faces say where the wall is
  r.moving = "own-mesh";
  EXPECT_EQ(import(r).wall_points, 2 * n);
  EXPECT_NEAR(area(), kArea, 0.005 * kArea);
  EXPECT_NEAR(push(0), -kVolume, 0.01 * kVolume);
  EXPECT_NEAR(push(1), -8 * kVolume, 0.08 * kVolume);

  // Points without data leave, and the others keep what is theirs.
  p[0] = std::numeric_limits<float>::quiet_NaN();
  write();
  import(r);
  const auto mesh = result().mesh(0);
  ASSERT_EQ(mesh->size(), n - 1);
  ASSERT_EQ(mesh->areas.size(), n - 1);
  EXPECT_NEAR(push(0), -kVolume, 0.01 * kVolume);

  faces[5] = float(padded);
  write();
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("balls.npz[faces]"), HasSubstr("not the number of a point")));
  r.faces = "p";
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("balls.npz[p]"), HasSubstr("(faces, 3 or 4)")));
  r.surface = "none";
  EXPECT_THAT(error_of(r), HasSubstr("contradicts"));
}

TEST_F(WallFaces, AreasOfArraysFollowTheirPoints) {
  // Two clouds of 3 and 2 points laid end to end, the wall being every point but the second.
  std::vector<float> xyz, p = {1, 2, 3, 4, 5}, wall = {1, 0, 1, 1, 1}, area = {10, 20, 30, 40, 50}, n;
  for (int i = 0; i < 5; ++i) {
    for (int a = 0; a < 3; ++a) xyz.push_back(float(i * (a + 1) % 4));
    for (float v : {0.0f, 0.0f, float(i + 1)}) n.push_back(v);
  }
  io::write_npz(folder_ / "a.npz", {{"p", io::Array::from<float>({5}, p)},
                                    {"xyz", io::Array::from<float>({5, 3}, xyz)},
                                    {"wall", io::Array::from<float>({5}, wall)},
                                    {"area", io::Array::from<float>({5}, area)},
                                    {"n", io::Array::from<float>({5, 3}, n)},
                                    {"first", io::Array::from<float>({3}, std::vector<float>{0, 3, 5})}});
  auto r = recipe("a.npz");
  r.points = "xyz";
  r.offsets = "first";
  r.surface = "array";
  r.surface_array = "wall";
  r.areas = "area";
  r.normals = "n";
  import(r);
  EXPECT_THAT(result().mesh(0)->areas, testing::ElementsAre(10, 30));
  EXPECT_THAT(result().mesh(1)->areas, testing::ElementsAre(40, 50));
  EXPECT_EQ(result().mesh(1)->normals.row(1), (Eigen::RowVector3f(0, 0, 1))) << "made unit length";
  r.faces = "xyz";
  EXPECT_THAT(error_of(r), HasSubstr("offsets"));
}

TEST_F(WallFaces, ForcesWithoutAreasSayHowToImportThem) {
  auto points_only = ball();
  points_only.connectivity.clear();
  points_only.offsets = {0};
  points_only.cell_types.clear();
  points_only.cell_data.clear();
  for (Index i = 0; i < points_only.point_count(); ++i) points_only.add_cell(io::kVtkVertex, {i});
  io::write_vtk(folder_ / "dots.vtp", points_only);
  auto r = recipe("dots.vtp");
  import(r);
  EXPECT_THROW(push(), Error);
  r.normals = "n_in";
  import(r);
  try {
    push();
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("--faces"), HasSubstr("--areas")));
  }
}

}  // namespace
}  // namespace fluidsplat::importing
