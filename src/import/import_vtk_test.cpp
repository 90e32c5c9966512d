// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "base/atomic_file.h"
#include "import/import_fixture.h"
#include "io/npy.h"
#include "io/pvd.h"
#include "io/vtk.h"

namespace fluidsplat::importing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A strip of quads of the given number of columns in the plane z = 0.5.
io::VtkMesh strip(int columns, double offset) {
  io::VtkMesh mesh;
  const std::size_t points = 2 * (columns + 1);
  io::VtkArray velocity{"U", 3, {}}, pressure{"p", 1, {}}, wall{"wall", 1, {}}, normal{"N", 3, {}};
  for (std::size_t i = 0; i < points; ++i) {
    const auto x = double(i / 2), y = double(i % 2);
    mesh.points.insert(mesh.points.end(), {x, y, 0.5});
    velocity.values.insert(velocity.values.end(), {x + offset, y, 99});
    pressure.values.push_back(10 * x + y);
    wall.values.push_back(y == 0);
    normal.values.insert(normal.values.end(), {0, 2, 0});
  }
  for (Index c = 0; c < columns; ++c) mesh.add_cell(io::kVtkQuad, {2 * c, 2 * c + 2, 2 * c + 3, 2 * c + 1});
  io::VtkArray centre{"T", 1, {}};
  for (int c = 0; c < columns; ++c) centre.values.push_back(c);
  mesh.point_data = {velocity, pressure, wall, normal};
  mesh.cell_data = {centre};
  return mesh;
}

class ImportVtk : public ImportFixture {
 protected:
  Recipe recipe(const std::string& file) {
    auto r = ImportFixture::recipe(file);
    r.arrays = {"U", "p"};
    return r;
  }
};

TEST_F(ImportVtk, AFlatSeriesWithDifferentMeshesIsTwoDimensional) {
  io::write_vtk(folder_ / "f_1.vtu", strip(4, 0));
  io::write_vtk(folder_ / "f_2.vtu", strip(4, 1));
  io::write_vtk(folder_ / "f_10.vtu", strip(6, 2));
  auto r = recipe("f_*.vtu");
  r.units = {"m/s", "m/s", "Pa"};
  r.surface = "array";
  r.surface_array = "wall";
  r.normals = "N";
  const auto report = import(r);
  EXPECT_EQ(report.cases, 3);
  EXPECT_EQ(report.meshes, 2) << "equal points are stored once";
  const auto data = result();
  EXPECT_EQ(data.schema().dim(), 2);
  EXPECT_EQ(data.schema().channels, (std::vector<field::Column>{{"u", "m/s"}, {"v", "m/s"}, {"p", "Pa"}}));
  EXPECT_EQ(data.mesh_of(0), data.mesh_of(1));
  const auto c = data.load(2);
  EXPECT_EQ(c.name, "f_10");
  EXPECT_EQ(c.mesh->size(), 14);
  EXPECT_EQ(c.fields(3, 0), 1 + 2);
  EXPECT_EQ(c.fields(3, 1), 1);
  EXPECT_EQ(c.fields(3, 2), 11);
  EXPECT_EQ(c.mesh->surface.size(), 7u);
  EXPECT_EQ(c.mesh->normals.row(0), (Eigen::RowVector2f(0, 1)));
}

TEST_F(ImportVtk, TheWallMayBeAListOfPoints) {
  io::write_vtk(folder_ / "a.vtu", strip(4, 0));
  io::write_npy(folder_ / "wall.npy", io::Array::from<std::int64_t>({2}, std::vector<Index>{0, 9}));
  io::write_npy(folder_ / "bad.npy", io::Array::from<std::int64_t>({1}, std::vector<Index>{10}));
  auto r = recipe("a.vtu");
  r.surface = "array";
  r.surface_array = (folder_ / "bad.npy").string();
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("bad.npy"), HasSubstr("0 to 9")));
  r.surface_array = (folder_ / "wall.npy").string();
  import(r);
  EXPECT_THAT(result().mesh(0)->surface, ElementsAre(0, 9));
}

TEST_F(ImportVtk, CellsBecomePointsAtTheirCentres) {
  io::write_vtk(folder_ / "a.vtu", strip(4, 0));
  auto r = recipe("a.vtu");
  r.arrays = {"T"};
  EXPECT_THAT(error_of(r), HasSubstr("on = cells"));
  r.on = "cells";
  import(r);
  const auto c = result().load(0);
  EXPECT_EQ(c.mesh->size(), 4);
  EXPECT_EQ(c.mesh->points(2, 0), 2.5f);
  EXPECT_EQ(c.mesh->points(2, 1), 0.5f);
  EXPECT_EQ(c.fields(2, 0), 2);
}

TEST_F(ImportVtk, AnImageIsAGridAndAPvdTellsTimes) {
  io::VtkMesh image;
  image.kind = io::VtkKind::image;
  image.dimensions = {4, 3, 2};
  image.origin = {1, 2, 3};
  image.spacing = {0.5, 1, 2};
  io::VtkArray p{"p", 1, {}};
  for (int i = 0; i < 24; ++i) p.values.push_back(i == 5 ? std::numeric_limits<double>::quiet_NaN() : i);
  image.point_data = {p};
  io::write_vtk(folder_ / "a.vti", image);
  io::write_vtk(folder_ / "b.vti", image);
  io::write_pvd(folder_ / "run.pvd", {{0.25, "a.vti"}, {1.5, "b.vti"}});
  auto r = recipe("run.pvd");
  r.arrays = {};
  import(r);
  const auto c = result().load(1);
  EXPECT_EQ(c.time, 1.5);
  EXPECT_EQ(c.mesh->size(), 23);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(2, 3, 4));
  EXPECT_EQ(c.mesh->points.row(22), (Eigen::RowVector3f(2.5f, 4, 5)));
  EXPECT_EQ(c.fields(22, 0), 23);
  EXPECT_EQ(c.mesh->surface.size(), 5u) << "four neighbours in the layer (one beyond the edge is none), one above";
}

TEST_F(ImportVtk, CellsOfAnImageAreAGridOfTheirCentres) {
  io::VtkMesh image;
  image.kind = io::VtkKind::image;
  image.dimensions = {4, 3, 1};
  image.origin = {1, 2, 0};
  image.spacing = {0.5, 1, 1};
  image.cell_data = {{"p", 1, {0, 1, 2, 3, 4, 5}}};
  io::write_vtk(folder_ / "a.vti", image);
  auto r = recipe("a.vti");
  r.arrays = {"p"};
  r.on = "cells";
  import(r);
  const auto c = result().load(0);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(2, 3));
  EXPECT_EQ(c.mesh->points.row(5), (Eigen::RowVector2f(2.25f, 3.5f)));
  EXPECT_EQ(c.fields(5, 0), 5);
}

TEST_F(ImportVtk, MistakesNameTheFileTheFieldAndTheRemedy) {
  io::write_vtk(folder_ / "a.vtu", strip(4, 0));
  auto solid = strip(4, 0);
  for (std::size_t i = 2; i < solid.points.size(); i += 6) solid.points[i] = 7;
  io::write_vtk(folder_ / "b.vtu", solid);
  const auto whole = read_file(folder_ / "a.vtu");
  write_file(folder_ / "half.vtu", whole.substr(0, whole.size() / 2));
  auto r = recipe("a.vtu");
  r.arrays = {};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("arrays = "), HasSubstr("U, p")));
  r.arrays = {"q"};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("a.vtu"), HasSubstr("\"q\""), HasSubstr("U, p")));
  r = recipe("a.vtu");
  r.channels = {"u"};
  EXPECT_THAT(error_of(r), HasSubstr("give 3 (u, v, p)"));
  r = recipe("a.vtu");
  r.layout = "tyx";
  EXPECT_THAT(error_of(r), HasSubstr("layout"));
  r = recipe("a.vtu");
  r.descriptors = {"speed"};
  EXPECT_THAT(error_of(r), HasSubstr("cases"));
  EXPECT_THAT(error_of(recipe("half.vtu")), HasSubstr("half.vtu"));
  r = recipe("a.vtu");
  r.files.push_back((folder_ / "b.vtu").string());
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("b.vtu"), HasSubstr("extends along z")));
  write_file(folder_ / "x.npy", "");
  r.files.back() = (folder_ / "x.npy").string();
  EXPECT_THAT(error_of(r), HasSubstr("cannot be mixed"));
  io::write_pvd(folder_ / "run.pvd", {{0, "gone.vtu"}});
  EXPECT_THAT(error_of(recipe("run.pvd")), HasSubstr("gone.vtu"));
}

}  // namespace
}  // namespace fluidsplat::importing
