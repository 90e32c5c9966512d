// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "import/import_fixture.h"
#include "io/npz.h"
#include "io/vtk.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kNx = 6, kNy = 4;

// One layer of hexahedra, as OpenFOAM writes 2-D flow: velocity and pressure on cells and on points.
io::VtkMesh one_layer(double w, double difference_of_planes = 0) {
  io::VtkMesh mesh;
  io::VtkArray point_p{"p", 1, {}}, cell_p{"p", 1, {}}, point_u{"U", 3, {}}, cell_u{"U", 3, {}};
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y <= kNy; ++y)
      for (int x = 0; x <= kNx; ++x) {
        mesh.points.insert(mesh.points.end(), {double(x), double(y), 0.1 * z});
        point_p.values.push_back(10 * x + y + difference_of_planes * z);
        point_u.values.insert(point_u.values.end(), {double(x), double(y), w * x});
      }
  const auto point = [](int x, int y, int z) { return Index((z * (kNy + 1) + y) * (kNx + 1) + x); };
  for (int y = 0; y < kNy; ++y)
    for (int x = 0; x < kNx; ++x) {
      std::vector<Index> corners;
      for (int z = 0; z < 2; ++z)
        corners.insert(corners.end(), {point(x, y, z), point(x + 1, y, z), point(x + 1, y + 1, z), point(x, y + 1, z)});
      mesh.add_cell(io::kVtkHexahedron, corners);
      cell_p.values.push_back(10 * x + y);
      cell_u.values.insert(cell_u.values.end(), {double(x), double(y), w * x + 1e-12 * y});
    }
  mesh.point_data = {point_p, point_u};
  mesh.cell_data = {cell_p, cell_u};
  return mesh;
}

std::vector<std::string> channels(const field::Dataset& dataset) {
  std::vector<std::string> out;
  for (const auto& c : dataset.schema().channels) out.push_back(c.name);
  return out;
}

class ImportFlat : public ImportFixture {
 protected:
  Recipe flow(const std::string& file, const std::string& on) {
    auto r = recipe(file);
    r.arrays = {"U", "p"};
    r.on = on;
    return r;
  }
};

TEST_F(ImportFlat, TheCellsOfOneLayerAreTwoDimensional) {
  io::write_vtk(folder_ / "a.vtu", one_layer(0));
  const auto report = import(flow("a.vtu", "cells"));
  EXPECT_THAT(report.notes, AllOf(Contains(HasSubstr("flat along z")), Contains(HasSubstr("\"w\" is constant"))));
  const auto data = result();
  EXPECT_EQ(data.schema().dim(), 2);
  EXPECT_THAT(channels(data), ElementsAre("u", "v", "p"));
  const auto c = data.load(0);
  ASSERT_EQ(c.mesh->size(), kNx * kNy);
  EXPECT_EQ(c.mesh->points.row(kNx + 2), (Eigen::RowVector2f(2.5f, 1.5f)));
  EXPECT_EQ(c.fields.row(kNx + 2), (Eigen::RowVector3f(2, 1, 21)));
}

TEST_F(ImportFlat, TheTwoPlanesOfPointsBecomeOne) {
  io::write_vtk(folder_ / "a.vtu", one_layer(0));
  const auto report = import(flow("a.vtu", "points"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("one layer of cells along z: read as 2-D")));
  const auto c = result().load(0);
  ASSERT_EQ(c.mesh->size(), (kNx + 1) * (kNy + 1));
  EXPECT_EQ(c.mesh->points.row(kNx + 3), (Eigen::RowVector2f(2, 1)));
  EXPECT_EQ(c.fields.row(kNx + 3), (Eigen::RowVector3f(2, 1, 21)));
}

TEST_F(ImportFlat, PlanesOfTheirOwnAreDataInSpace) {
  io::write_vtk(folder_ / "a.vtu", one_layer(0, 5));
  import(flow("a.vtu", "points"));
  EXPECT_EQ(result().schema().dim(), 3);
  EXPECT_THAT(channels(result()), ElementsAre("u", "v", "w", "p"));
}

TEST_F(ImportFlat, AVelocityOutOfThePlaneIsKeptWhereItVaries) {
  io::write_vtk(folder_ / "a.vtu", one_layer(0.5));
  import(flow("a.vtu", "cells"));
  EXPECT_EQ(result().schema().dim(), 2);
  EXPECT_THAT(channels(result()), ElementsAre("u", "v", "w", "p"));
  // It begins to vary only later: nothing may be lost.
  io::write_vtk(folder_ / "b_1.vtu", one_layer(0));
  io::write_vtk(folder_ / "b_2.vtu", one_layer(0.5));
  auto r = flow("b_*.vtu", "cells");
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("b_2.vtu"), HasSubstr("\"w\""), HasSubstr("channels = NAMES")));
  r.channels = {"u", "v", "swirl", "p"};
  import(r);
  EXPECT_THAT(channels(result()), ElementsAre("u", "v", "swirl", "p"));
}

TEST_F(ImportFlat, PointsOfArraysWithOneDepth) {
  std::vector<float> points, values;
  for (int i = 0; i < 40; ++i) {
    const float x = float(i % 8), y = float(i / 8);
    points.insert(points.end(), {x, y, 0});
    values.insert(values.end(), {x, y, 0, 10 * x + y});
  }
  auto twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  io::write_npz(folder_ / "a.npz",
                {{"f", io::Array::from<float>({2, 40, 4}, twice)}, {"xyz", io::Array::from<float>({40, 3}, points)}});
  auto r = recipe("a.npz");
  r.arrays = {"f"};
  r.points = "xyz";
  r.channels = {"u", "v", "w", "p"};
  const auto report = import(r);
  EXPECT_THAT(report.notes, AllOf(Contains(HasSubstr("flat along z")), Contains(HasSubstr("\"w\" is constant"))));
  EXPECT_EQ(result().schema().dim(), 2);
  EXPECT_THAT(channels(result()), ElementsAre("u", "v", "p"));
  EXPECT_EQ(result().load(1).fields.row(9), (Eigen::RowVector3f(1, 1, 11)));
  r.channels = {"u", "v", "swirl", "p"};
  const auto kept = import(r);
  EXPECT_THAT(channels(result()), ElementsAre("u", "v", "swirl", "p"));
  EXPECT_THAT(kept.notes, Contains(HasSubstr("\"swirl\" is constant: 0 everywhere")));
}

TEST_F(ImportFlat, AGridOfOneDepth) {
  std::vector<float> values;
  for (int i = 0; i < 2 * 5 * 6; ++i) values.push_back(float(i));
  io::write_npz(folder_ / "a.npz", {{"p", io::Array::from<float>({2, 1, 5, 6}, values)}});
  auto r = recipe("a.npz");
  r.layout = "tzyx";
  import(r);
  EXPECT_EQ(result().schema().dim(), 2);
  EXPECT_THAT(result().load(0).mesh->grid_shape, ElementsAre(5, 6));
  EXPECT_EQ(result().load(1).fields(7, 0), 37);
}

TEST_F(ImportFlat, FillValuesStopTheImportUntilTheyAreNamed) {
  std::vector<float> values;
  for (int i = 0; i < 2 * 5 * 6; ++i) values.push_back(i % 30 == 7 ? 9.96921e36f : float(i));
  io::write_npz(folder_ / "a.npz", {{"T", io::Array::from<float>({2, 5, 6}, values)}});
  auto r = recipe("a.npz");
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("2 values of \"T\""), HasSubstr("no_data = 9.96921e+36")));
  r.no_data = {9.96921e+36};
  import(r);
  EXPECT_EQ(result().load(0).mesh->size(), 29);
  r.no_data = {};
  r.fill_values = "keep";
  EXPECT_THAT(import(r).notes, Not(IsEmpty()));
  EXPECT_EQ(result().load(0).mesh->size(), 30);
  values[3] = std::numeric_limits<float>::infinity();
  for (auto& v : values)
    if (v > 1e30f && !std::isinf(v)) v = 0;
  io::write_npz(folder_ / "a.npz", {{"T", io::Array::from<float>({2, 5, 6}, values)}});
  EXPECT_THAT(import(r).notes, Contains(HasSubstr("1 value is infinite: left out")));
}

}  // namespace
}  // namespace fluidsplat::importing
