// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/curve_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"

namespace fluidsplat::field {
namespace {

Matrix grid(Index side, int axes) {
  Matrix points(Index(std::pow(double(side), axes)), axes);
  for (Index i = 0; i < points.rows(); ++i)
    for (Index a = 0, rest = i; a < axes; ++a, rest /= side) points(i, a) = float(rest % side);
  return points;
}

// What makes it Hilbert's: each step goes to a neighbour.
TEST(CurveOrder, PassesEachCellOfAGridOnceFromNeighbourToNeighbour) {
  for (const int axes : {1, 2, 3}) {
    const auto points = grid(axes == 3 ? 16 : 64, axes);
    const auto order = curve_order(points);
    auto sorted = order;
    std::ranges::sort(sorted);
    for (Index i = 0; i < points.rows(); ++i) ASSERT_EQ(sorted[std::size_t(i)], i);
    for (std::size_t i = 1; i < order.size(); ++i)
      ASSERT_EQ((points.row(order[i]) - points.row(order[i - 1])).cwiseAbs().sum(), 1) << axes << " axes, " << i;
  }
}

TEST(CurveOrder, ARunIsAPatchOfTheDomain) {
  Random random(1);
  Matrix points(40'000, 2);
  for (Index i = 0; i < points.rows(); ++i) points.row(i) << float(random.uniform(0, 4)), float(random.uniform());
  const auto ordered = reordered(points, curve_order(points));
  double mean = 0;
  for (Index first = 0; first < 40'000; first += 400) {
    const auto run = ordered.middleRows(first, 400);
    const Eigen::RowVectorXf extent = run.colwise().maxCoeff() - run.colwise().minCoeff();
    mean += double(extent.maxCoeff()) / 100;
  }
  EXPECT_LT(mean, 0.5) << "a hundredth of the area 4 is 0.2 wide; in the order of rows it would be 4";
}

TEST(CurveOrder, OfOnePlaceKeepsTheOrder) {
  EXPECT_EQ(curve_order(Matrix::Constant(3, 2, 5.0f)), (std::vector<Index>{0, 1, 2}));
}

Schema schema() {
  Schema s;
  s.coordinates = {{"x", "m"}, {"y", "m"}};
  s.channels = {{"u", "m/s"}};
  s.features = {{"sdf", "m"}};
  return s;
}

// Whatever is asked of a place, the answer is that of the same place before.
TEST(CurveOrder, AWriterThatIsAskedToKeepsEverythingWithItsPoint) {
  MemoryDataset data(schema());
  for (const Index side : {12, 9}) {
    auto mesh = std::make_shared<Mesh>();
    mesh->points = grid(side, 2);
    mesh->features = mesh->points.col(0) * 2;
    mesh->grid_shape = {side, side};
    for (Index i = 0; i < mesh->size(); ++i) mesh->grid_cell.push_back(i);
    mesh->surface = {7, 3};
    mesh->normals.resize(2, 2);
    mesh->normals << 1, 0, 0, 1;
    for (int t = 0; t < 2; ++t) {
      Case c;
      c.mesh = mesh;
      c.fields = mesh->points.col(0) * 100 + mesh->points.col(1) + Matrix::Constant(mesh->size(), 1, 0.5f * float(t));
      c.descriptors.resize(0);
      data.add(c);
    }
  }
  const TemporaryFolder folder;
  DatasetWriter writer(folder / "d.h5", data.schema());
  writer.order_along_curve();
  writer.compress(4);
  for (Index t = 0; t < data.size(); ++t) writer.add(data.load(t));
  writer.commit();
  const DatasetFile file(folder / "d.h5");
  ASSERT_EQ(file.mesh_count(), 2);
  for (Index t = 0; t < data.size(); ++t) {
    const auto before = data.load(t), now = file.load(t);
    EXPECT_NE(before.mesh->points, now.mesh->points);
    EXPECT_EQ(curve_order(now.mesh->points)[5], 5);
    for (Index i = 0; i < now.mesh->size(); ++i) {
      const auto was = now.mesh->grid_cell[std::size_t(i)];
      EXPECT_EQ(now.mesh->points.row(i), before.mesh->points.row(was));
      EXPECT_EQ(now.mesh->features.row(i), before.mesh->features.row(was));
      EXPECT_EQ(now.fields.row(i), before.fields.row(was));
    }
    for (std::size_t s = 0; s < 2; ++s)
      EXPECT_EQ(now.mesh->points.row(now.mesh->surface[s]), before.mesh->points.row(before.mesh->surface[s]));
    EXPECT_EQ(now.mesh->normals, before.mesh->normals);
    EXPECT_EQ(file.values_at(t, std::vector<Index>{3, 1}).row(1), now.fields.row(1));
  }
}

}  // namespace
}  // namespace fluidsplat::field
