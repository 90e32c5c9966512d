// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <fmt/ranges.h>

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

// An XML file of VTK's, as text.
std::string vtk_xml(const std::string& kind, const std::string& body) {
  return fmt::format("<VTKFile type=\"{0}\" version=\"0.1\" byte_order=\"LittleEndian\">{1}</VTKFile>\n", kind, body);
}

// Values as text.
std::string vtk_numbers(const std::string& name, int components, const std::vector<double>& values) {
  return fmt::format(
      "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">{}</DataArray>", name,
      components, fmt::join(values, " "));
}

TEST_F(ImportVtk, AStructuredGridKeepsItsRowsAndColumns) {
  // Four columns and three rows that fan out.
  std::vector<double> points, u, p;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) {
      points.insert(points.end(), {double(i), j * (1 + 0.5 * i), 0});
      u.insert(u.end(), {double(i), double(j), 0});
      p.push_back(10 * j + i);
    }
  const auto text = vtk_xml("StructuredGrid",
                            "<StructuredGrid WholeExtent=\"0 3 0 2 0 0\"><Piece Extent=\"0 3 0 2 0 0\"><PointData>" +
                                vtk_numbers("U", 3, u) + vtk_numbers("p", 1, p) + "</PointData><Points>" +
                                vtk_numbers("Points", 3, points) + "</Points></Piece></StructuredGrid>");
  write_file(folder_ / "a.vts", text);
  import(recipe("a.vts"));
  const auto c = result().load(0);
  EXPECT_EQ(result().schema().channels, (std::vector<field::Column>{{"u", ""}, {"v", ""}, {"p", ""}}));
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(3, 4));
  EXPECT_EQ(c.mesh->points.row(11), (Eigen::RowVector2f(3, 5)));
  EXPECT_EQ(c.fields.row(11), (Eigen::RowVector3f(3, 2, 23)));
  write_file(folder_ / "half.vts", text.substr(0, text.size() / 2));
  EXPECT_THAT(error_of(recipe("half.vts")), HasSubstr("half.vts"));
}

TEST_F(ImportVtk, ARectilinearGridHasTheSpacingOfItsAxes) {
  std::vector<double> p, cells;
  for (int i = 0; i < 12; ++i) p.push_back(i);
  for (int i = 0; i < 6; ++i) cells.push_back(100 + i);
  const auto text =
      vtk_xml("RectilinearGrid",
              "<RectilinearGrid WholeExtent=\"0 3 0 2 0 0\"><Piece Extent=\"0 3 0 2 0 0\"><PointData>" +
                  vtk_numbers("p", 1, p) + "</PointData><CellData>" + vtk_numbers("q", 1, cells) +
                  "</CellData><Coordinates>" + vtk_numbers("x", 1, {0, 1, 3, 7}) + vtk_numbers("y", 1, {-1, 0, 4}) +
                  vtk_numbers("z", 1, {2}) + "</Coordinates></Piece></RectilinearGrid>");
  write_file(folder_ / "a.vtr", text);
  auto r = recipe("a.vtr");
  r.arrays = {"p"};
  import(r);
  auto c = result().load(0);
  EXPECT_EQ(result().schema().dim(), 2);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(3, 4));
  EXPECT_EQ(c.mesh->points.row(6), (Eigen::RowVector2f(3, 0)));
  EXPECT_EQ(c.mesh->points.row(11), (Eigen::RowVector2f(7, 4)));
  EXPECT_EQ(c.fields(11, 0), 11);
  r.arrays = {"q"};
  r.on = "cells";
  import(r);
  c = result().load(0);
  EXPECT_THAT(c.mesh->grid_shape, ElementsAre(2, 3));
  EXPECT_EQ(c.mesh->points.row(5), (Eigen::RowVector2f(5, 2)));
  EXPECT_EQ(c.fields(5, 0), 105);
  write_file(folder_ / "half.vtr", text.substr(0, text.size() / 2));
  EXPECT_THAT(error_of(recipe("half.vtr")), HasSubstr("half.vtr"));
}

TEST_F(ImportVtk, BlocksAreOneCaseAndAPatchIsTheWall) {
  const auto block = [](double x0) {
    auto mesh = strip(4, x0);
    for (std::size_t i = 0; i < mesh.points.size(); i += 3) mesh.points[i] += x0;
    return mesh;
  };
  io::write_vtk(folder_ / "left.vtu", block(0));
  io::write_vtk(folder_ / "right.vtu", block(10));
  // The lower edge of the left block as faces that look out of the flow.
  io::VtkMesh floor;
  floor.kind = io::VtkKind::poly;
  for (int i = 0; i < 5; ++i)
    for (double z : {0.0, 1.0}) floor.points.insert(floor.points.end(), {double(i), 0, z});
  for (Index i = 0; i < 4; ++i) floor.add_cell(io::kVtkQuad, {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  floor.cell_data = {{"U", 3, std::vector<double>(12, 0)}, {"p", 1, {5, 6, 7, 8}}};
  io::write_vtk(folder_ / "floor.vtp", floor);
  const std::string volumes = "<DataSet name=\"left\" file=\"left.vtu\"/><DataSet name=\"right\" file=\"right.vtu\"/>";
  write_file(folder_ / "a.vtm", vtk_xml("vtkMultiBlockDataSet", "<vtkMultiBlockDataSet>" + volumes +
                                                                    "<Block name=\"boundary\"><DataSet name=\"floor\" "
                                                                    "file=\"floor.vtp\"/></Block>"
                                                                    "</vtkMultiBlockDataSet>"));
  import(recipe("a.vtm"));
  const auto c = result().load(0);
  ASSERT_EQ(c.mesh->size(), 20);
  EXPECT_EQ(c.mesh->points.row(3), (Eigen::RowVector2f(1, 1)));
  EXPECT_EQ(c.mesh->points.row(13), (Eigen::RowVector2f(11, 1)));
  EXPECT_EQ(c.fields(13, 0), 11);
  EXPECT_TRUE(c.mesh->surface.empty());
  auto r = recipe("a.vtm");
  r.patches = {"floor"};
  import(r);
  const auto walled = result().load(0);
  ASSERT_TRUE(walled.mesh->wall);
  ASSERT_EQ(walled.mesh->wall->size(), 4);
  EXPECT_EQ(walled.mesh->wall->points.row(2), (Eigen::RowVector2f(2.5f, 0)));
  EXPECT_EQ(walled.mesh->wall->normals.row(2), (Eigen::RowVector2f(0, 1))) << "into the flow";
  EXPECT_EQ(walled.wall_fields(2, 2), 7);
  r.patches = {"flor"};
  EXPECT_THAT(error_of(r), AllOf(HasSubstr("has no patch \"flor\""), HasSubstr("\"floor\"")));
  write_file(folder_ / "gone.vtm", vtk_xml("vtkMultiBlockDataSet",
                                           "<vtkMultiBlockDataSet><DataSet index=\"0\" "
                                           "file=\"gone.vtu\"/></vtkMultiBlockDataSet>"));
  EXPECT_THAT(error_of(recipe("gone.vtm")), HasSubstr("gone.vtu"));
  write_file(folder_ / "empty.vtm", vtk_xml("vtkMultiBlockDataSet", "<vtkMultiBlockDataSet/>"));
  EXPECT_THAT(error_of(recipe("empty.vtm")), HasSubstr("names no files"));
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
