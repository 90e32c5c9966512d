// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/features_near.h"

#include <gtest/gtest.h>

namespace fluidsplat::field {
namespace {

TEST(FeaturesNear, AreThoseOfTheNearestPointOrWallPoint) {
  Mesh mesh;
  mesh.points = Matrix{{0, 0}, {1, 0}, {0, 1}};
  mesh.features = Matrix{{10, 11}, {20, 21}, {30, 31}};
  mesh.wall = make_wall(Matrix{{1, 1}}, Matrix{{40, 41}}, {}, {});
  const Matrix found = features_near(mesh, Matrix{{0.1f, 0.8f}, {0.9f, 0.9f}, {-5, 0}});
  EXPECT_EQ(found, (Matrix{{30, 31}, {40, 41}, {10, 11}}));
}

TEST(FeaturesNear, AreNoColumnsWhereAMeshHasNone) {
  Mesh mesh;
  mesh.points = Matrix{{0, 0}};
  mesh.features.resize(1, 0);
  const Matrix found = features_near(mesh, Matrix{{1, 1}, {2, 2}});
  EXPECT_EQ(found.rows(), 2);
  EXPECT_EQ(found.cols(), 0);
}

}  // namespace
}  // namespace fluidsplat::field
