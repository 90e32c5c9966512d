// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "mesh/grid.h"

namespace fluidsplat::mesh {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// rows x columns, y down the rows, with one hole; coordinates may be bent.
field::Mesh grid(Index rows, Index columns, Index hole, double bend) {
  field::Mesh mesh;
  mesh.grid_shape = {rows, columns};
  mesh.points.resize(rows * columns - 1, 2);
  mesh.features.resize(0, 0);
  for (Index cell = 0; cell < rows * columns; ++cell) {
    if (cell == hole) continue;
    const double i = double(cell % columns), j = double(cell / columns);
    mesh.points.row(std::ssize(mesh.grid_cell)) << float(-1 + 0.1 * i + bend * i * i), float(3 - 0.2 * j);
    mesh.grid_cell.push_back(cell);
  }
  return mesh;
}

// Whatever the shell is, mesh point i must sit at the geometry's point place[i].
void expect_places(const Shell& shell, const field::Mesh& mesh) {
  const auto& g = shell.geometry;
  ASSERT_EQ(std::ssize(shell.place), mesh.size());
  for (std::size_t i = 0; i < shell.place.size(); ++i) {
    const auto p = shell.place[i];
    for (Index a = 0; a < mesh.points.cols(); ++a) {
      double at;
      if (g.kind == io::VtkKind::image) {
        const Index index[3] = {p % g.dimensions[0], p / g.dimensions[0] % g.dimensions[1],
                                p / (g.dimensions[0] * g.dimensions[1])};
        at = g.origin[a] + g.spacing[a] * double(index[a]);
      } else {
        at = g.points[3 * p + a];
      }
      EXPECT_NEAR(at, mesh.points(i, a), 1e-5);
    }
  }
}

TEST(Shell, ARegularGridBecomesAnImage) {
  const auto mesh = grid(5, 7, 11, 0);
  const auto shell = shell_of(mesh);
  EXPECT_EQ(shell.geometry.kind, io::VtkKind::image);
  EXPECT_THAT(shell.geometry.dimensions, ElementsAre(7, 5, 1));
  EXPECT_THAT(shell.array_shape, ElementsAre(5, 7));
  EXPECT_EQ(shell.place.size(), 34u);
  EXPECT_STREQ(extension_of(shell.geometry), ".vti");
  expect_places(shell, mesh);
}

TEST(Shell, ABentGridBecomesCellsWithoutTheHole) {
  const auto mesh = grid(5, 7, 11, 0.01);
  const auto shell = shell_of(mesh);
  EXPECT_EQ(shell.geometry.kind, io::VtkKind::unstructured);
  EXPECT_STREQ(extension_of(shell.geometry), ".vtu");
  EXPECT_EQ(shell.geometry.cell_count(), 4 * 6 - 4) << "the four quadrilaterals around the hole are gone";
  expect_places(shell, mesh);
}

TEST(Shell, ScatteredPointsBecomeVertices) {
  field::Mesh mesh;
  mesh.points = field::Matrix::Random(20, 3);
  const auto shell = shell_of(mesh);
  EXPECT_STREQ(extension_of(shell.geometry), ".vtp");
  EXPECT_EQ(shell.geometry.cell_count(), 20);
  expect_places(shell, mesh);
}

TEST(Grid, OverABoxIn3d) {
  const field::Box box{{0, 0, -1}, {2, 1, 1}};
  EXPECT_THAT(grid_for(box, 9), ElementsAre(9, 5, 9));
  const auto made = make_grid({4, 3, 2}, box);
  EXPECT_EQ(made.mesh.size(), 24);
  EXPECT_THAT(made.shell.array_shape, ElementsAre(2, 3, 4));
  EXPECT_THAT(made.mesh.grid_shape, ElementsAre(2, 3, 4));
  expect_places(made.shell, made.mesh);
  EXPECT_EQ(made.mesh.points.row(23), (Eigen::RowVector3f(2, 1, 1)));
  // What shell_of finds in the mesh is the grid it was made of.
  const auto found = shell_of(made.mesh);
  EXPECT_EQ(found.place, made.shell.place);
  EXPECT_EQ(found.geometry.dimensions, made.shell.geometry.dimensions);
  EXPECT_THAT(
      [&] {
        make_grid({4, 3}, box);
      },
      ThrowsMessage<Error>(HasSubstr("needs 3 numbers of points, as 100x80x60")));
  EXPECT_THAT([&] { make_grid({4, 3, 1}, box); }, ThrowsMessage<Error>(HasSubstr("at least 2 points along each axis")));
  EXPECT_THAT(
      [&] {
        make_grid({1 << 20, 1 << 20, 4}, box);
      },
      ThrowsMessage<Error>(HasSubstr("1048576 x 1048576 x 4 points is too large")));
}

}  // namespace
}  // namespace fluidsplat::mesh
