// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/d3/cavity.h"
#include "sim/d3/cavity_reference.h"
#include "sim/d3/slab_cavity.h"

namespace fluidsplat::sim::d3 {
namespace {

// Botella and Peyret, Computers & Fluids 27 (1998), give the extremes to seven digits by a spectral method.  The values
// of Ghia, Ghia and Shin are up to 0.012 away from these.
TEST(CavityLong, ASlabAtReynoldsNumber1000AgreesWithPublishedValues) {
  const SlabCavity flow(129, 1000, 80);
  EXPECT_NEAR(flow.least_u(), -0.3885698, 0.004);
  EXPECT_NEAR(flow.least_v(), -0.5270771, 0.004);
  EXPECT_NEAR(flow.most_v(), 0.3769447, 0.004);
  EXPECT_LT(flow.worst_u(kGhiaU1000), 0.01);
  EXPECT_LT(flow.worst_v(kGhiaV1000), 0.015);
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
