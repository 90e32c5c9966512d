// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/d3/cavity.h"
#include "sim/d3/cavity_reference.h"
#include "sim/d3/slab_cavity.h"

namespace fluidsplat::sim::d3 {
namespace {

TEST(CavityLong, ASlabAtReynoldsNumber1000AgreesWithGhiaGhiaAndShin) {
  const SlabCavity flow(129, 1000, 80);
  EXPECT_LT(flow.worst_u(kGhiaU1000), 0.01);
  EXPECT_LT(flow.worst_v(kGhiaV1000), 0.01);
}

// The centre lines lie between the four middle rows of cells.
TEST(CavityLong, TheCubeAtReynoldsNumber1000AgreesWithAlbensoederAndKuhlmann) {
  const Index n = 64, h = n / 2;
  CavityFlow flow({.reynolds = 1000, .cells = n});
  ASSERT_EQ(flow.settle().end, CavityEnd::kSteady);
  const CavityFields f = flow.fields();
  const auto middle = [&](const std::vector<float>& field, auto index) {
    return 0.25 *
           (double(field[index(h, h)]) + field[index(h - 1, h)] + field[index(h, h - 1)] + field[index(h - 1, h - 1)]);
  };
  const auto u = [&](Index y) { return middle(f.u, [&](Index x, Index z) { return (z * n + y) * n + x; }); };
  const auto v = [&](Index x) { return middle(f.v, [&](Index y, Index z) { return (z * n + y) * n + x; }); };
  EXPECT_LT(worst_difference(kCubeU1000, n, u, 0, 1), 0.01);
  EXPECT_LT(worst_difference(kCubeV1000, n, v, 0, 0), 0.01);
}

}  // namespace
}  // namespace fluidsplat::sim::d3
