// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/mesh_contents.h"
#include "field/surface_features.h"
#include "mesh/point_data.h"

namespace fluidsplat::mesh {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(MeshFile, GivesPointsAndFeatures) {
  const TemporaryFolder folder;
  io::VtkMesh vtk;
  vtk.points = {0, 0, 5, 1, 0, 5, 0, 1, 5};
  vtk.offsets = {0};
  vtk.add_cell(io::kVtkTriangle, {0, 1, 2});
  vtk.point_data.push_back({"sdf", 1, {1, 2, 3}, io::DType::f64});
  io::write_vtk(folder / "m.vtu", vtk);
  field::Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.features = {{"sdf", ""}};
  const auto [mesh, shell] = read_mesh_file(folder / "m.vtu", s);
  EXPECT_EQ(mesh.points.row(1), (Eigen::RowVector2f(1, 0)));
  EXPECT_EQ(mesh.features(2, 0), 3);
  EXPECT_THAT(shell.place, ElementsAre(0, 1, 2));
  EXPECT_TRUE(shell.geometry.point_data.empty());
  EXPECT_EQ(shell.geometry.cell_count(), 1) << "the file's own cells are kept";
  s.features = {{"distance", ""}};
  EXPECT_THAT([&] { read_mesh_file(folder / "m.vtu", s); },
              ThrowsMessage<Error>(AllOf(HasSubstr("m.vtu"), HasSubstr("\"distance\""))));
  vtk.points[2] = 6;
  io::write_vtk(folder / "tilted.vtu", vtk);
  s.features.clear();
  EXPECT_THAT([&] { read_mesh_file(folder / "tilted.vtu", s); },
              ThrowsMessage<Error>(AllOf(HasSubstr("extends along z"), HasSubstr("x, y only"))));
}

field::Schema schema(int dim) {
  field::Schema s;
  for (int a = 0; a < dim; ++a) s.coordinates.push_back({std::string(1, "xyz"[a]), ""});
  s.channels = {{"p", ""}};
  s.features = {{"sdf", ""}};
  return s;
}

// What an exported case says of its points, features and wall is what is read back, bit for bit.
TEST(MeshFile, GivesBackWhatAddMeshDataWrote) {
  const TemporaryFolder folder;
  field::Mesh mesh;
  mesh.points = field::Matrix::Random(6, 3);
  mesh.features = field::Matrix::Random(6, 1);
  mesh.surface = {1, 4};
  mesh.normals.resize(2, 3);
  mesh.normals << 0.6f, -0.8f, 0, 0, 0, 1;
  mesh.areas = {0.5, 2.5};
  const auto shell = shell_of(mesh);
  auto vtk = shell.geometry;
  add_channels(vtk, shell, schema(3), field::Matrix::Random(6, 1));
  add_mesh_data(vtk, shell, schema(3), mesh);
  io::write_vtk(folder / "case.vtp", vtk);
  EXPECT_THAT(io::read_vtk(folder / "case.vtp").find_point_data("wall_areas")->values,
              ElementsAre(0, 0.5, 0, 0, 2.5, 0));
  EXPECT_TRUE(field::identical(read_mesh_file(folder / "case.vtp", schema(3)).mesh, mesh));
}

// A cloud on a sphere, without any array: a model of a surface's shape needs none.
TEST(MeshFile, FeaturesOfASurfaceSShapeNeedNotBeThere) {
  const TemporaryFolder folder;
  field::Mesh cloud;
  cloud.points.resize(400, 3);
  for (Index i = 0; i < 400; ++i) {
    const double z = -1 + (double(i) + 0.5) / 200, r = std::sqrt(1 - z * z), turn = 2.399963 * double(i);
    cloud.points.row(i) << float(r * std::cos(turn)), float(r * std::sin(turn)), float(z);
  }
  io::write_vtk(folder / "cloud.vtp", shell_of(cloud).geometry);
  auto s = schema(3);
  s.features = field::surface_feature_columns(s.coordinates);
  std::ranges::reverse(s.features);
  const auto mesh = read_mesh_file(folder / "cloud.vtp", s).mesh;
  ASSERT_EQ(mesh.features.cols(), 6);
  EXPECT_TRUE(mesh.surface.empty()) << "what the file does not say is not made up";
  for (Index i = 0; i < 400; ++i)
    EXPECT_GT(mesh.features.row(i).rightCols(3).reverse().dot(cloud.points.row(i)), 0.95) << "normals, z first";

  // What the file has comes first, and a wall beside which there are points has no such features.
  auto vtk = shell_of(cloud).geometry;
  vtk.point_data.push_back({"normal_x", 1, std::vector<double>(400, 7), io::DType::f64});
  io::write_vtk(folder / "cloud.vtp", vtk);
  EXPECT_EQ(read_mesh_file(folder / "cloud.vtp", s).mesh.features.col(5).minCoeff(), 7);
  std::vector<double> wall(400, 1);
  wall[3] = 0;
  vtk.point_data.push_back({"wall", 1, wall, io::DType::f64});
  io::write_vtk(folder / "cloud.vtp", vtk);
  EXPECT_THAT([&] { read_mesh_file(folder / "cloud.vtp", s); },
              ThrowsMessage<Error>(AllOf(HasSubstr("cloud.vtp"), HasSubstr("399 of 400"))));
}

// A grid with a hole is an image with NaN in it; the image's points, the hole too, are then a grid.
TEST(MeshFile, AnImageComesBackAsAGrid) {
  const TemporaryFolder folder;
  auto [mesh, full] = make_grid({4, 3}, {{0, 0}, {3, 2}});
  field::Matrix kept(11, 2);
  kept << mesh.points.topRows(5), mesh.points.bottomRows(6);
  mesh.points = kept;
  mesh.grid_cell.erase(mesh.grid_cell.begin() + 5);
  mesh.features = kept.leftCols(1);
  mesh.surface = {4, 5};
  const auto shell = shell_of(mesh);
  auto vtk = shell.geometry;
  add_mesh_data(vtk, shell, schema(2), mesh);
  io::write_vtk(folder / "case.vti", vtk);
  const auto back = read_mesh_file(folder / "case.vti", schema(2));
  EXPECT_THAT(back.mesh.grid_shape, ElementsAre(3, 4));
  EXPECT_THAT(back.shell.array_shape, ElementsAre(3, 4));
  EXPECT_THAT(back.mesh.surface, ElementsAre(4, 6)) << "the points on both sides of the hole";
  EXPECT_TRUE(std::isnan(back.mesh.features(5, 0)));
  EXPECT_EQ(back.mesh.points.row(11), (Eigen::RowVector2f(3, 2)));
}

// A channel that is called like an array of the mesh keeps its values.
TEST(PointData, ChannelsComeFirst) {
  field::Mesh mesh;
  mesh.points = field::Matrix::Random(3, 3);
  mesh.features = field::Matrix::Zero(3, 1);
  mesh.surface = {0};
  auto s = schema(3);
  s.channels = {{"wall", ""}};
  const auto shell = shell_of(mesh);
  auto vtk = shell.geometry;
  add_channels(vtk, shell, s, field::Matrix::Constant(3, 1, 7));
  add_mesh_data(vtk, shell, s, mesh);
  EXPECT_THAT(vtk.find_point_data("wall")->values, ElementsAre(7, 7, 7));
  EXPECT_EQ(vtk.point_data.size(), 2u) << "the channel and the feature";
}

// One layer of cells, as OpenFOAM has 2-D flow: its depth is dropped, its points and cells are all kept.
TEST(MeshFile, OneLayerOfCellsIsTwoDimensional) {
  const TemporaryFolder folder;
  io::VtkMesh vtk;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) vtk.points.insert(vtk.points.end(), {double(x), double(y), 0.1 * z});
  vtk.add_cell(io::kVtkHexahedron, {0, 1, 5, 4, 12, 13, 17, 16});
  io::write_vtk(folder / "m.vtu", vtk);
  field::Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  const auto [mesh, shell] = read_mesh_file(folder / "m.vtu", s);
  ASSERT_EQ(mesh.size(), 24);
  EXPECT_EQ(mesh.points.row(17), (Eigen::RowVector2f(1, 1)));
  EXPECT_EQ(shell.geometry.cell_count(), 1);
}

// Data that were flat along y have the coordinates x and z.
TEST(MeshFile, CoordinatesAreFoundByTheirNames) {
  const TemporaryFolder folder;
  io::VtkMesh vtk;
  vtk.points = {0, 7, 1, 1, 7, 2, 2, 7, 5};
  vtk.add_cell(io::kVtkTriangle, {0, 1, 2});
  io::write_vtk(folder / "m.vtu", vtk);
  field::Schema s;
  s.coordinates = {{"x", ""}, {"z", ""}};
  EXPECT_EQ(read_mesh_file(folder / "m.vtu", s).mesh.points.row(2), (Eigen::RowVector2f(2, 5)));
}

}  // namespace
}  // namespace fluidsplat::mesh
