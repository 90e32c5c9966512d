// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/point_geometry.h"

#include <gtest/gtest.h>

namespace fluidsplat::theory {
namespace {

TEST(PointGeometry, OfASquareGridIsKnown) {
  // Centres at cell midpoints of side 1/4; the domain's corners are the farthest, at half a diagonal.
  Points domain(5, 2);
  domain << 0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0.5;
  const PointGeometry geometry = measure_geometry(midpoint_grid(unit_box(2), 4), domain);
  EXPECT_NEAR(geometry.fill_distance, std::sqrt(2.0) / 8, 1e-15);
  EXPECT_NEAR(geometry.separation_radius, 0.125, 1e-15);
  EXPECT_NEAR(geometry.quasi_uniformity(), std::sqrt(2.0), 1e-12);
}

TEST(PointGeometry, TwinCentresAreNotSeparated) {
  Points twins(3, 1);
  twins << 0.2, 0.2, 0.9;
  EXPECT_EQ(measure_geometry(twins, twins).separation_radius, 0);
}

TEST(PointGeometry, OneCentreIsInfinitelySeparated) {
  const Points one = Points::Constant(1, 2, 0.5);
  EXPECT_EQ(measure_geometry(one, midpoint_grid(unit_box(2), 2)).quasi_uniformity(), 0);
}

}  // namespace
}  // namespace fluidsplat::theory
