// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/batch/sampler.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

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

// The mean over the draws of many steps, of a function that is far from constant along the points, with its error.
struct Estimate {
  double mean = 0, error = 0;
};
Estimate mean_over_steps(const PointSampler& sampler, Index chunks, const std::function<double(Index)>& g) {
  constexpr int kSteps = 20000;
  constexpr Index kQueries = 24;
  double sum = 0, square = 0;
  for (int step = 0; step < kSteps; ++step) {
    Random random(7, std::uint64_t(step));
    double here = 0;
    for (const auto point : draw_points(sampler, kQueries, chunks, random)) here += g(point) / double(kQueries);
    sum += here;
    square += here * here;
  }
  const double mean = sum / kSteps;
  return {mean, std::sqrt((square / kSteps - mean * mean) / kSteps)};
}

// The last chunk is a short one: drawn as often as the others, its points would come too often.
TEST(DrawPoints, FromFewChunksHaveTheExpectationOfThoseFromAnywhere) {
  constexpr Index kPoints = 3 * field::kChunkPoints + 5000;
  const PointSampler sampler(kPoints, {});
  const auto g = [](Index point) { return point >= 3 * field::kChunkPoints ? 10.0 : double(point) / kPoints; };
  double exact = 0;
  for (Index i = 0; i < kPoints; ++i) exact += g(i) / kPoints;
  for (const Index chunks : {0, 1, 2, 5}) {
    const auto found = mean_over_steps(sampler, chunks, g);
    EXPECT_NEAR(found.mean, exact, 4 * found.error) << chunks;
    EXPECT_LT(found.error, 0.03 * exact) << chunks;
  }
}

TEST(DrawPoints, ComeFromNoMoreChunksThanAreAskedForAndStayInTheMesh) {
  constexpr Index kPoints = 100 * field::kChunkPoints + 3;
  const PointSampler sampler(kPoints, {}), tiny(10, {});
  for (int step = 0; step < 50; ++step) {
    Random random(1, std::uint64_t(step));
    std::set<Index> chunks;
    for (const auto point : draw_points(sampler, 500, 4, random)) {
      ASSERT_TRUE(point >= 0 && point < kPoints);
      chunks.insert(point / field::kChunkPoints);
    }
    EXPECT_LE(chunks.size(), 4u);
    for (const auto point : draw_points(tiny, 100, 4, random)) ASSERT_LT(point, 10);
  }
}

}  // namespace
}  // namespace fluidsplat::learn
