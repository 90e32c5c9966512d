// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/pod.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::survey {
namespace {

// One shape that swings about a mean many times larger is one mode.
TEST(Pod, CountsFluctuationsNotTheMean) {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}};
  schema.channels = {{"u", "m/s"}, {"p", "Pa"}};
  field::MemoryDataset data(schema);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = field::Matrix::Random(40, 2);
  const field::Matrix mean = 100 * field::Matrix::Random(40, 2), shape = field::Matrix::Random(40, 2);
  for (int i = 0; i < 12; ++i) {
    field::Case c;
    c.mesh = mesh;
    c.fields = mean + std::cos(float(i)) * shape;
    data.add(c);
  }
  const auto energy = pod_energy(data);
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->snapshots, 12);
  EXPECT_NEAR(energy->share[0], 1, 1e-6);
}

}  // namespace
}  // namespace fluidsplat::survey
