// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/without_features.h"

#include <gtest/gtest.h>

#include "field/seen_data.h"

namespace fluidsplat::field {
namespace {

// Two cases on one mesh with a wall of its own, which has features, too.
MemoryDataset tunnel() {
  Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"p", ""}};
  schema.features = {{"distance", ""}, {"normal_x", ""}};
  MemoryDataset data(schema, "tunnel");
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Random(4, 2);
  mesh->features = Matrix::Random(4, 2);
  mesh->wall = make_wall(Matrix::Random(3, 2), Matrix::Random(3, 2), Matrix::Random(3, 2), {1, 2, 3});
  for (const char* name : {"slow", "fast"}) {
    Case c;
    c.name = name;
    c.mesh = mesh;
    c.fields = Matrix::Random(4, 1);
    c.wall_fields = Matrix::Random(3, 1);
    data.add(c);
  }
  return data;
}

TEST(WithoutFeatures, HidesThemAndNothingElse) {
  const auto data = tunnel();
  const WithoutFeatures bare(data);
  EXPECT_TRUE(bare.schema().features.empty());
  EXPECT_EQ(bare.schema().channels, data.schema().channels);
  const auto c = bare.load(1);
  EXPECT_NO_THROW(check_case(c, bare.schema(), "case"));
  EXPECT_EQ(c.fields, data.load(1).fields);
  EXPECT_EQ(c.wall_fields, data.load(1).wall_fields);
  EXPECT_EQ(c.mesh->points, data.mesh(0)->points);
  EXPECT_EQ(c.mesh->wall->points, data.mesh(0)->wall->points);
  EXPECT_EQ(c.mesh->wall->areas, data.mesh(0)->wall->areas);
  EXPECT_EQ(c.mesh->features.cols(), 0);
  EXPECT_EQ(c.mesh->wall->features.cols(), 0);
  const std::vector<Index> places = {5, 1};
  for (const auto& part : {bare.points_in(0, 1, 2), bare.points_at(0, places)}) {
    EXPECT_EQ(part.features.rows(), 2);
    EXPECT_EQ(part.features.cols(), 0);
  }
  EXPECT_EQ(bare.points_at(0, places).positions, data.points_at(0, places).positions);
}

TEST(WithoutFeatures, CasesGoOnSharingTheirMesh) {
  const auto data = tunnel();
  const WithoutFeatures bare(data);
  const auto slow = bare.load(0), fast = bare.load(1);
  EXPECT_EQ(slow.mesh, fast.mesh);
  EXPECT_EQ(slow.mesh, bare.mesh(0));
}

TEST(WithoutFeatures, AModelThatHasNoneSeesNone) {
  const auto data = tunnel();
  auto without = data.schema();
  without.features.clear();
  EXPECT_TRUE(SeenData(data, without)->schema().features.empty());
  EXPECT_EQ(SeenData(data, data.schema())->schema().features.size(), 2u);
}

}  // namespace
}  // namespace fluidsplat::field
