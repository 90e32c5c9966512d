// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/points_with_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fluidsplat::importing {
namespace {

using ::testing::ElementsAre;

// Five points on a line, the last two on the wall.
field::Mesh line() {
  field::Mesh mesh;
  mesh.points.resize(5, 2);
  mesh.features.resize(5, 1);
  for (int i = 0; i < 5; ++i) {
    mesh.points.row(i) << float(i), 0;
    mesh.features(i, 0) = 10 * float(i);
  }
  mesh.surface = {3, 4};
  mesh.normals.resize(2, 2);
  mesh.normals << 0, 1, 1, 0;
  mesh.areas = {0.3, 0.4};
  return mesh;
}

TEST(KeepPoints, TheWallFollowsItsPoints) {
  const auto full = std::make_shared<const field::Mesh>(line());
  const auto kept = keep_points(full, {true, false, true, true, false}, false);
  EXPECT_THAT(kept.rows, ElementsAre(0, 2, 3));
  EXPECT_THAT(kept.mesh->surface, ElementsAre(2));
  EXPECT_EQ(kept.mesh->normals, line().normals.topRows(1));
  EXPECT_THAT(kept.mesh->areas, ElementsAre(0.3));
  EXPECT_EQ(kept.mesh->features(2, 0), 30);
  EXPECT_THAT(keep_points(full, {false, true, true, true, true}, false).mesh->surface, ElementsAre(2, 3));
}

}  // namespace
}  // namespace fluidsplat::importing
