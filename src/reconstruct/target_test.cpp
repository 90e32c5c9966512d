// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "reconstruct/series.h"

namespace fluidsplat::reconstruct {
namespace {

using ::testing::ElementsAre;

// rows x columns, y down the rows, with one hole; coordinates may be bent.
std::shared_ptr<field::Mesh> grid(Index rows, Index columns, Index hole, double bend) {
  auto mesh = std::make_shared<field::Mesh>();
  mesh->grid_shape = {rows, columns};
  mesh->points.resize(rows * columns - 1, 2);
  mesh->features.resize(0, 0);
  for (Index cell = 0; cell < rows * columns; ++cell) {
    if (cell == hole) continue;
    const double i = double(cell % columns), j = double(cell / columns);
    mesh->points.row(std::ssize(mesh->grid_cell)) << float(-1 + 0.1 * i + bend * i * i), float(3 - 0.2 * j);
    mesh->grid_cell.push_back(cell);
  }
  return mesh;
}

// Whatever the shell is, mesh point i must sit at shell point place[i].
void expect_places(const Target& t) {
  const auto& s = t.shell;
  for (std::size_t i = 0; i < t.place.size(); ++i) {
    const auto p = t.place[i];
    for (Index a = 0; a < t.mesh->points.cols(); ++a) {
      double at;
      if (s.kind == io::VtkKind::image) {
        const Index index[3] = {p % s.dimensions[0], p / s.dimensions[0] % s.dimensions[1],
                                p / (s.dimensions[0] * s.dimensions[1])};
        at = s.origin[a] + s.spacing[a] * double(index[a]);
      } else {
        at = s.points[3 * p + a];
      }
      EXPECT_NEAR(at, t.mesh->points(i, a), 1e-5);
    }
  }
}

TEST(Target, RegularGridBecomesAnImage) {
  const auto t = target_from_mesh(grid(5, 7, 11, 0));
  EXPECT_EQ(t.shell.kind, io::VtkKind::image);
  EXPECT_THAT(t.shell.dimensions, ElementsAre(7, 5, 1));
  EXPECT_THAT(t.array_shape, ElementsAre(5, 7));
  EXPECT_EQ(t.place.size(), 34u);
  EXPECT_STREQ(t.extension(), ".vti");
  expect_places(t);
}

TEST(Target, BentGridBecomesCellsWithoutTheHole) {
  const auto t = target_from_mesh(grid(5, 7, 11, 0.01));
  EXPECT_EQ(t.shell.kind, io::VtkKind::unstructured);
  EXPECT_EQ(t.shell.cell_count(), 4 * 6 - 4) << "the four quadrilaterals around the hole are gone";
  expect_places(t);
}

TEST(Target, ScatteredPointsBecomeVertices) {
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = field::Matrix::Random(20, 3);
  const auto t = target_from_mesh(mesh);
  EXPECT_STREQ(t.extension(), ".vtp");
  EXPECT_EQ(t.shell.cell_count(), 20);
  expect_places(t);
}

TEST(Target, GridOverABoxIn3d) {
  const field::Box box{{0, 0, -1}, {2, 1, 1}};
  EXPECT_THAT(grid_for(box, 9), ElementsAre(9, 5, 9));
  const auto t = target_from_grid({4, 3, 2}, box);
  EXPECT_EQ(t.mesh->size(), 24);
  EXPECT_THAT(t.array_shape, ElementsAre(2, 3, 4));
  expect_places(t);
  EXPECT_EQ(share_outside(t, box), 0);
  EXPECT_NEAR(share_outside(t, {{0, 0, 0}, {2, 1, 1}}), 0.5, 1e-12);
  EXPECT_NEAR(share_outside(t, {{0, 0, -1}, {1, 1, 1}}), 0.5, 1e-12);
  EXPECT_THROW(target_from_grid({4, 3}, box), Error);
  EXPECT_THROW(target_from_grid({4, 3, 1}, box), Error);
}

TEST(Target, VtkFileGivesPointsAndFeatures) {
  const TemporaryFolder folder;
  io::VtkMesh m;
  m.points = {0, 0, 5, 1, 0, 5, 0, 1, 5};
  m.offsets = {0};
  m.add_cell(io::kVtkTriangle, {0, 1, 2});
  m.point_data.push_back({"sdf", 1, {1, 2, 3}, io::DType::f64});
  io::write_vtk(folder / "m.vtu", m);
  field::Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}};
  s.features = {{"sdf", ""}};
  const auto t = target_from_vtk(folder / "m.vtu", s);
  expect_places(t);
  EXPECT_EQ(t.mesh->features(2, 0), 3);
  EXPECT_TRUE(t.shell.point_data.empty());
  EXPECT_EQ(t.shell.cell_count(), 1);
  s.features = {{"distance", ""}};
  EXPECT_THROW(target_from_vtk(folder / "m.vtu", s), Error);
  m.points[2] = 6;
  io::write_vtk(folder / "tilted.vtu", m);
  s.features.clear();
  EXPECT_THROW(target_from_vtk(folder / "tilted.vtu", s), Error) << "a 2-D model on points out of the plane";
}

// What an exported case says of its wall and features is what a target reads back.
TEST(Target, WallAndFeaturesGoThroughAFile) {
  const TemporaryFolder folder;
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = field::Matrix::Random(6, 3);
  mesh->features = field::Matrix::Random(6, 1);
  mesh->surface = {4, 1};
  mesh->normals.resize(2, 3);
  mesh->normals << 0, 0, 1, 0.6f, -0.8f, 0;
  mesh->areas = {2.5, 0.5};
  field::Schema s;
  s.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}};
  s.channels = {{"p", ""}};
  s.features = {{"sdf", ""}};
  const auto t = target_from_mesh(mesh);
  Reconstruction said;
  said.field = field::Matrix::Random(6, 1);
  auto vtk = fill(t, said, s, {});
  add_mesh_data(vtk, t, s);
  io::write_vtk(folder / "case.vtp", vtk);
  EXPECT_THAT(io::read_vtk(folder / "case.vtp").find_point_data("wall_areas")->values,
              ElementsAre(0, 0.5, 0, 0, 2.5, 0));
  const auto back = target_from_vtk(folder / "case.vtp", s);
  EXPECT_THAT(back.mesh->surface, ElementsAre(1, 4));
  EXPECT_EQ(back.mesh->normals.row(0), (Eigen::RowVector3f(0.6f, -0.8f, 0)));
  EXPECT_EQ(back.mesh->normals.row(1), (Eigen::RowVector3f(0, 0, 1)));
  EXPECT_EQ(back.mesh->features, mesh->features);
}

}  // namespace
}  // namespace fluidsplat::reconstruct
