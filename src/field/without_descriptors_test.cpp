// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/without_descriptors.h"

#include <gtest/gtest.h>

namespace fluidsplat::field {
namespace {

TEST(WithoutDescriptors, HidesThemAndNothingElse) {
  Schema schema;
  schema.coordinates = {{"x", ""}, {"y", ""}};
  schema.channels = {{"p", ""}};
  schema.descriptors = {{"speed", "m/s"}};
  MemoryDataset data(schema, "tunnel");
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Random(4, 2);
  mesh->features.resize(4, 0);
  Case c;
  c.name = "fast";
  c.mesh = mesh;
  c.fields = Matrix::Random(4, 1);
  c.descriptors = Vector::Constant(1, 30);
  c.reference.speed = 30;
  data.add(c);
  const WithoutDescriptors hidden(data);
  EXPECT_TRUE(hidden.schema().descriptors.empty());
  EXPECT_EQ(hidden.schema().channels, schema.channels);
  EXPECT_EQ(hidden.load(0).descriptors.size(), 0);
  EXPECT_NO_THROW(check_case(hidden.load(0), hidden.schema(), "case"));
  EXPECT_EQ(hidden.load(0).fields, c.fields);
  EXPECT_EQ(hidden.case_name(0), "fast");
  EXPECT_EQ(hidden.reference(0).speed, 30);
  EXPECT_EQ(hidden.mesh(hidden.mesh_of(0)), data.mesh(0));
  EXPECT_EQ(hidden.name(), "tunnel");
}

}  // namespace
}  // namespace fluidsplat::field
