// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/all_places.h"

#include <gtest/gtest.h>

namespace fluidsplat::field {
namespace {

// The same order as Mesh::position and Case::values have.
TEST(AllPlaces, AreThePointsAndThenTheWall) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix{{0, 0}, {1, 0}, {2, 0}};
  Case c;
  c.fields = Matrix{{1}, {2}, {3}};
  for (const bool has_wall : {false, true}) {
    if (has_wall) {
      mesh->wall = make_wall(Matrix{{5, 6}, {7, 8}}, Matrix(2, 0), Matrix(0, 2), {});
      c.wall_fields = Matrix{{4}, {5}};
    }
    const auto places = all_places(*mesh), fields = fields_at_places(c);
    ASSERT_EQ(places.rows(), mesh->places());
    ASSERT_EQ(fields.rows(), mesh->places());
    for (Index i = 0; i < mesh->places(); ++i) {
      EXPECT_EQ(places.row(i), mesh->position(i));
      EXPECT_EQ(fields.row(i), c.values(i));
    }
  }
}

}  // namespace
}  // namespace fluidsplat::field
