// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/sampler.h"

#include <gtest/gtest.h>

#include "learn/config/toy_wake.h"

namespace fluidsplat::learn {
namespace {

TEST(PointSampler, DrawsInProportionAndWeighsBack) {
  const std::vector<double> p = {1, 6, 3, 10, 0.5};  // two of them more than a fifth
  const PointSampler sampler(5, p);
  Random random(1);
  std::vector<double> counts(5), weighted(5);
  constexpr int kN = 200000;
  for (int i = 0; i < kN; ++i) {
    const std::size_t k = sampler.draw(random);
    ++counts[k];
    weighted[k] += sampler.weight(k);
  }
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(counts[k] / kN, p[k] / 20.5, 0.005) << k;
    EXPECT_NEAR(weighted[k] / kN, 0.2, 0.01) << "the weighted draws must be uniform again, point " << k;
  }
}

TEST(PointSampler, NearSurfaceShareIsWhatWasAsked) {
  const auto data = toy_wake();
  const auto mesh = data.mesh(0);
  const auto density = near_surface_density(*mesh, 1.5, 0.6);
  double near = 0, all = 0;
  for (Index i = 0; i < mesh->points.rows(); ++i) {
    const auto d = density[i];
    all += d;
    if (mesh->points(i, 0) <= 3.5f && mesh->points(i, 1) <= 1.5f) near += d;
  }
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_GT(near, 0.55);
}

TEST(PointSampler, WithoutWeightsPlacesDrawnMoreOftenCountMore) {
  const PointSampler plain(4, {1, 1, 1, 7}, false);
  for (Index p = 0; p < 4; ++p) EXPECT_EQ(plain.weight(p), 1);
  const PointSampler unbiased(4, {1, 1, 1, 7});
  EXPECT_FLOAT_EQ(unbiased.weight(3), 2.5f / 7);
}

}  // namespace
}  // namespace fluidsplat::learn
