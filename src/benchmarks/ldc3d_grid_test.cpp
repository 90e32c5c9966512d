// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::benchmarks {
namespace {

TEST(Ldc3dGrid, BlocksAverageTheirFluidCells) {
  const Index n = 4;
  std::vector<std::uint8_t> fluid(64, 1);
  // In the first block (cells 0, 1, 4, 5, 16, 17, 20, 21) four cells are body; in the last one five.
  for (const Index cell : {0, 1, 4, 5}) fluid[cell] = 0;
  for (const Index cell : {42, 43, 46, 47, 58}) fluid[cell] = 0;
  std::vector<double> values(64);
  for (Index i = 0; i < 64; ++i) values[i] = fluid[i] ? double(i) : 1e6;  // what is in the body must not matter
  const CellAverage blocks(fluid, n, 2);
  ASSERT_EQ(blocks.size(), 2);
  EXPECT_EQ(blocks.fluid(), (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 0}));
  const auto means = blocks.of_fluid(values);
  EXPECT_DOUBLE_EQ(means[0], (16 + 17 + 20 + 21) / 4.0);
  EXPECT_DOUBLE_EQ(means[1], (2 + 3 + 6 + 7 + 18 + 19 + 22 + 23) / 8.0);
  EXPECT_DOUBLE_EQ(means[2], (8 + 9 + 12 + 13 + 24 + 25 + 28 + 29) / 8.0);
  EXPECT_DOUBLE_EQ(means[4], (32 + 33 + 36 + 37 + 48 + 49 + 52 + 53) / 8.0);
  EXPECT_DOUBLE_EQ(means[7], (59 + 62 + 63) / 3.0);
  EXPECT_DOUBLE_EQ(blocks.of_all(std::vector<double>(64, 3.0))[7], 3);
}

TEST(Ldc3dGrid, CellsCountByTheirOverlapWhereTheyDoNotFit) {
  // Three cells to two: the middle one counts half on both sides.
  std::vector<double> values(27);
  for (Index i = 0; i < 27; ++i) values[i] = double(i % 3) + 10 * double(i / 3 % 3) + 100 * double(i / 9);
  const auto means = CellAverage(std::vector<std::uint8_t>(27, 1), 3, 2).of_fluid(values);
  const double low = (0 + 0.5 * 1) / 1.5, high = (0.5 * 1 + 2) / 1.5;
  for (Index i = 0; i < 8; ++i)
    EXPECT_NEAR(means[i], (i % 2 ? high : low) + 10 * (i / 2 % 2 ? high : low) + 100 * (i / 4 ? high : low), 1e-12);
}

TEST(Ldc3dGrid, TheMeshIsTheFluidWithOutwardNormalsAtTheBody) {
  const Index n = 12;
  std::vector<double> distance(n * n * n);
  std::vector<std::uint8_t> fluid(n * n * n);
  const auto at = [n](Index i) { return (double(i) + 0.5) * 2 / double(n); };
  for (Index cell = 0; cell < n * n * n; ++cell) {
    distance[cell] = std::hypot(at(cell % n) - 0.9, at(cell / n % n) - 1, at(cell / n / n) - 1.1) - 0.4;
    fluid[cell] = distance[cell] > 0;
  }
  const auto mesh = ldc3d_mesh(fluid, distance, n);
  EXPECT_NEAR(double(n * n * n - mesh.size()), 4.0 / 3 * 3.14159 * std::pow(0.4 * 6, 3), 10);
  EXPECT_NEAR(mesh.points(0, 0), 1.0 / 12, 1e-6);
  EXPECT_NEAR(mesh.points(1, 0), 3.0 / 12, 1e-6) << "x runs fastest";
  EXPECT_NEAR(mesh.points(n, 1), 3.0 / 12, 1e-6) << "then y";
  ASSERT_GT(std::ssize(mesh.surface), 50);
  for (Index s = 0; s < std::ssize(mesh.surface); ++s) {
    const Eigen::RowVector3f out = mesh.points.row(mesh.surface[s]) - Eigen::RowVector3f(0.9f, 1, 1.1f);
    ASSERT_GT(mesh.normals.row(s).dot(out.normalized()), 0.97f);
    ASSERT_LT(mesh.features(mesh.surface[s], 0), 0.2f);
  }
  field::Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}};
  schema.features = {{"distance", ""}};
  EXPECT_NO_THROW(field::check_mesh(mesh, schema, "mesh"));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
