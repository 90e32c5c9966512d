// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mean_field.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

TEST(MeanField, IsPointByPointWhereCasesShareAMesh) {
  Schema schema;
  schema.coordinates = {{"x", ""}};
  schema.channels = {{"u", ""}, {"p", ""}};
  MemoryDataset data(schema);
  const auto add = [&](const std::shared_ptr<const Mesh>& mesh, const Matrix& fields) {
    Case c;
    c.mesh = mesh;
    c.fields = fields;
    data.add(c);
  };
  const auto mesh = [] {
    auto out = std::make_shared<Mesh>();
    out->points = Matrix{{0}, {1}};
    out->features.resize(2, 0);
    return out;
  };
  const auto shared = mesh();
  add(shared, Matrix{{1, 10}, {2, 1e5f}});
  add(shared, Matrix{{3, 10}, {6, 1e5f + 1}});
  add(mesh(), Matrix{{0, 40}, {0, 80}});
  add(mesh(), Matrix{{100, 100}, {100, 100}});
  const MeanField mean(data, {0, 1, 2});
  EXPECT_EQ(mean.on(0, *shared), (Matrix{{2, 10}, {4, 1e5f + 0.5f}}));
  const auto elsewhere = mean.on(2, *data.mesh(2));
  ASSERT_EQ(elsewhere.rows(), 2);
  EXPECT_FLOAT_EQ(elsewhere(1, 0), 2);
  EXPECT_FLOAT_EQ(elsewhere(0, 0), 2);
  EXPECT_EQ(mean.on(1, *data.mesh(1)), elsewhere) << "alone on its mesh, a case is not its own mean";
  EXPECT_THROW(MeanField(data, {}), Error);
}

}  // namespace
}  // namespace fluidsplat::field
