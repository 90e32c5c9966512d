// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/surface_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A spindle along x, six times as long as thick, all of it surface, its points in the order of a spiral.
Mesh spindle(Index count) {
  Mesh mesh;
  mesh.points.resize(count, 3);
  for (Index i = 0; i < count; ++i) {
    const double x = -1 + 2 * (double(i) + 0.5) / double(count), r = std::sqrt(1 - x * x), turn = 2.399963 * double(i);
    mesh.points.row(i) << float(6 * x), float(r * std::cos(turn)), float(r * std::sin(turn));
  }
  mesh.surface.resize(count);
  std::iota(mesh.surface.begin(), mesh.surface.end(), Index{0});
  return mesh;
}

TEST(SurfaceFeatures, AreNormalsThenConvexitiesFromNearToWide) {
  const auto columns = surface_feature_columns({{"x", "m"}, {"z", "m"}});
  ASSERT_EQ(columns.size(), 5u);
  EXPECT_EQ(columns[0].name, "normal_x");
  EXPECT_EQ(columns[1].name, "normal_z");
  const auto mesh = spindle(20000);
  const auto features = surface_features(mesh);
  ASSERT_EQ(features.cols(), 6);
  ASSERT_EQ(features.rows(), mesh.size());
  const Index middle = mesh.size() / 2, nose = 0;
  EXPECT_GT(features.row(middle).head(3).dot(mesh.points.row(middle)), 0.9);
  // The nose stands out from what is around it; the flank hardly, until what is around has the other flank in it.
  for (Index k = 3; k < 5; ++k) EXPECT_GT(features(nose, k), 2 * std::abs(features(middle, k))) << k;
  EXPECT_GT(features(nose, 5), features(middle, 5));
  EXPECT_GT(features(middle, 5), features(middle, 4));
}

// Two models of one shape, of which one is twice as large and elsewhere, are described alike.
TEST(SurfaceFeatures, DoNotDependOnSizeAndPlace) {
  auto mesh = spindle(2000);
  const auto before = surface_features(mesh);
  mesh.points = (2 * mesh.points).rowwise() + Eigen::RowVector3f(1, -2, 4);
  EXPECT_LT((surface_features(mesh) - before).cwiseAbs().maxCoeff(), 0.02);
}

// A mesh's normals are in the order of its wall, which need not be that of its points.
TEST(SurfaceFeatures, TheMeshSNormalsComeFirst) {
  auto mesh = spindle(500);
  std::ranges::reverse(mesh.surface);
  mesh.normals = Matrix::Zero(500, 3);
  for (Index k = 0; k < 500; ++k) mesh.normals(k, 1) = float(mesh.surface[k]);
  const auto features = surface_features(mesh);
  for (Index i = 0; i < 500; ++i) EXPECT_EQ(features(i, 1), float(i));
}

TEST(SurfaceFeatures, PointsBesideTheSurfaceAreRefused) {
  auto mesh = spindle(500);
  mesh.surface.pop_back();
  EXPECT_THAT([&] { surface_features(mesh); }, ThrowsMessage<Error>(HasSubstr("499 of 500")));
}

}  // namespace
}  // namespace fluidsplat::field
