// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/centres.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

FarthestPoints by_brute_force(const Points& points, int count, int first) {
  FarthestPoints result;
  Vector squared = Vector::Constant(points.rows(), 1e300);
  Index next = first;
  for (int k = 0; k < count; ++k) {
    result.order.push_back(int(next));
    squared = squared.cwiseMin((points.rowwise() - points.row(next)).rowwise().squaredNorm());
    result.fill.push_back(std::sqrt(squared.maxCoeff(&next)));
  }
  return result;
}

TEST(FarthestPoints, PruningChangesNothing) {
  for (int d : {1, 2, 3}) {
    Random random(3, d);
    for (const Points& points :
         {uniform_points(unit_box(d), 500, random), midpoint_grid(unit_box(d), d == 1 ? 200 : 8)}) {
      const int count = int(points.rows()) / 2;
      const FarthestPoints pruned = farthest_points(points, count, 5), brute = by_brute_force(points, count, 5);
      EXPECT_EQ(pruned.order, brute.order) << "d = " << d;
      for (int k = 1; k <= count; ++k) EXPECT_DOUBLE_EQ(pruned.fill_distance(k), brute.fill_distance(k));
    }
  }
}

TEST(FarthestPoints, EveryPrefixIsQuasiUniform) {
  Random random(11);
  const Points points = uniform_points(unit_box(2), 3000, random);
  const FarthestPoints chosen = farthest_points(points, 400);
  for (int k : {2, 10, 77, 400}) {
    const PointGeometry geometry = measure_geometry(centres(points, chosen, k), points);
    EXPECT_DOUBLE_EQ(geometry.fill_distance, chosen.fill_distance(k));
    EXPECT_LE(geometry.quasi_uniformity(), 2.0 + 1e-12);
  }
}

TEST(FarthestPoints, ShorterRunIsAPrefixOfALongerOne) {
  Random random(5);
  const Points points = uniform_points(unit_box(3), 800, random);
  const std::vector<int> longer = farthest_points(points, 300).order, shorter = farthest_points(points, 40).order;
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST(FarthestPoints, StartsNearTheMean) {
  const Points points = midpoint_grid(unit_box(2), 9);
  EXPECT_EQ(farthest_points(points, 1).order.front(), 40);
}

TEST(FarthestPoints, RefusesMoreCentresThanDistinctPoints) {
  Points twice(6, 2);
  twice << 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1;
  EXPECT_EQ(farthest_points(twice, 3).size(), 3);
  EXPECT_DOUBLE_EQ(farthest_points(twice, 3).fill_distance(3), 0);
  EXPECT_THROW(farthest_points(twice, 4), Error);
  EXPECT_THROW(farthest_points(twice, 7), Error);
  EXPECT_THROW(farthest_points(twice, 0), Error);
}

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
