// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/oracle_sweep.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

// A wake-like frame: rough noise added to a smooth wave.
Matrix rough_frames(const Grid& grid, int count) {
  Random random(8);
  Matrix frames(grid.size(), count);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < grid.size(); ++i)
      frames(i, j) = std::sin(0.2 * grid.coordinate(i, 0) + 0.4 * double(j)) * std::cos(0.15 * grid.coordinate(i, 1)) +
                     0.4 * random.normal();
  return frames;
}

TEST(OracleSweep, SmoothingLowersRoughnessAndSteepensTheRate) {
  const Grid grid({64, 48});
  OracleSweepSettings settings;
  settings.counts = {32, 64, 128, 256, 512, 1024};
  const std::vector<OracleSweepRow> rows = oracle_sweep(grid, rough_frames(grid, 4), settings);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name(), "raw");
  EXPECT_EQ(rows[3].name(), "8 px");
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i].roughness, rows[i - 1].roughness);
  EXPECT_LT(rows[2].curve.fit.exponent, rows[0].curve.fit.exponent - 0.2);
  EXPECT_NEAR(rows[3].curve.fit.exponent, -0.5, 0.15);
}

TEST(OracleSweep, EveryPixelACentreReproducesTheField) {
  const Grid grid({10, 10});
  OracleSweepSettings settings;
  settings.smooth_pixels = {0};
  settings.counts = {50, 99};
  const Matrix frames = rough_frames(grid, 2);
  // One pixel is missing among 100: the error is that of this pixel alone.
  const RateCurve curve = oracle_sweep(grid, frames, settings)[0].curve;
  EXPECT_LT(curve.mean[1], 0.3);
  EXPECT_LT(curve.mean[1], curve.mean[0]);
}

TEST(OracleSweep, MaskedPixelsDoNotMatter) {
  std::vector<char> valid(900, 1);
  for (std::size_t i = 300; i < 420; ++i) valid[i] = 0;
  const Grid grid({30, 30}, valid);
  Matrix frames = rough_frames(Grid({30, 30}), 2), other = frames;
  other.middleRows(300, 120).setConstant(std::nan(""));
  OracleSweepSettings settings;
  settings.counts = {16, 64, 128};
  const auto a = oracle_sweep(grid, frames, settings), b = oracle_sweep(grid, other, settings);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].curve.mean, b[i].curve.mean);
}

TEST(OracleSweep, UnitsDifferByTheirRatio) {
  const Points points = midpoint_grid(unit_box(2), 40);
  const FarthestPoints chosen = farthest_points(points, 100);
  Matrix field(points.rows(), 1);
  field.col(0) = (6 * points.col(0)).array().sin();
  const double ratio = mean_spacing(1, 2, 100) / chosen.fill_distance(100);
  const double by_fill = oracle_curve(points, field, chosen, {50, 100}, 0.5 * ratio).mean[1];
  const double by_spacing = oracle_curve(points, field, chosen, {50, 100}, 0.5, ScaleUnit::kSpacing).mean[1];
  EXPECT_NEAR(by_fill, by_spacing, 1e-12);
}

TEST(OracleSweep, HeldOutFramesAreEvenlySpaced) {
  EXPECT_EQ(evenly_spaced(10, 4), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(evenly_spaced(6, 2, {0, 5}), (std::vector<int>{1, 4}));
  EXPECT_EQ(evenly_spaced(6, 1), (std::vector<int>{0}));
  EXPECT_THROW(evenly_spaced(6, 3, {0, 1, 2, 3}), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
