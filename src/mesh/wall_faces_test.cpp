// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/wall_faces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace fluidsplat::mesh {
namespace {

using ::testing::Each;

// The unit cube about (0.5, 0.5, 0.5), whose faces are turned this way and that.
io::VtkMesh cube() {
  io::VtkMesh vtk;
  vtk.kind = io::VtkKind::poly;
  vtk.offsets = {0};
  for (int i = 0; i < 8; ++i) vtk.points.insert(vtk.points.end(), {double(i % 2), double(i / 2 % 2), double(i / 4)});
  for (const std::vector<Index>& face : std::vector<std::vector<Index>>{
           {0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}})
    vtk.add_cell(io::kVtkQuad, face);
  return vtk;
}

// The cube's points (middles of its faces), all of them on the wall.
field::Mesh wall_of(const io::VtkMesh& vtk, Site site) {
  auto mesh = points_of(vtk, {0, 1, 2}, site, "cube");
  mesh.surface.resize(mesh.size());
  std::iota(mesh.surface.begin(), mesh.surface.end(), 0);
  return mesh;
}

TEST(WallFaces, NormalsLookOutwardAndAreasAreShared) {
  auto corners = wall_of(cube(), Site::points);
  EXPECT_TRUE(add_patches(corners, cube(), Site::points));
  for (Index i = 0; i < 8; ++i) {
    const Eigen::RowVector3f outward = corners.points.row(i).array() - 0.5f;
    EXPECT_NEAR(corners.normals.row(i).dot(outward.normalized()), 1, 1e-6);
    EXPECT_NEAR(corners.areas[i], std::sqrt(3) / 4, 1e-6) << "a quarter of three faces, seen along their mean";
  }
  auto middles = wall_of(cube(), Site::cells);
  EXPECT_TRUE(add_patches(middles, cube(), Site::cells));
  EXPECT_THAT(middles.areas, Each(1.0));
  for (Index i = 0; i < 6; ++i) {
    const Eigen::RowVector3f outward = 2 * (middles.points.row(i).array() - 0.5f);
    EXPECT_LT((middles.normals.row(i) - outward).norm(), 1e-6f);
  }
}

TEST(WallFaces, WhatTheWallHasIsKeptAndAnOpenSurfaceIsTold) {
  auto vtk = cube();
  auto mesh = wall_of(vtk, Site::points);
  mesh.areas.assign(8, 2.0);
  vtk.cell_types.pop_back();
  vtk.offsets.pop_back();
  vtk.connectivity.resize(20);
  EXPECT_FALSE(add_patches(mesh, vtk, Site::points)) << "a box without a lid";
  EXPECT_THAT(mesh.areas, Each(2.0));
  EXPECT_EQ(mesh.normals.rows(), 8);
}

}  // namespace
}  // namespace fluidsplat::mesh
