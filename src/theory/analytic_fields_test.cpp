// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/analytic_fields.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(AnalyticFields, RoughOnesVanishAtTheBoundary) {
  for (int d : {1, 2, 3}) {
    Points edge = Points::Constant(1, d, 0.3);
    edge(0, d - 1) = 1.0;
    EXPECT_NEAR(point_singularity(d, 0.5, 1).at(edge)[0], 0, 1e-12);
    EXPECT_NEAR(random_series(d, 1, 4, 1).at(edge)[0], 0, 1e-12);
  }
}

TEST(AnalyticFields, SingularityScalesWithItsPower) {
  const AnalyticField field = point_singularity(1, 0.5, 3), other = point_singularity(1, 1.5, 3);
  EXPECT_DOUBLE_EQ(field.smoothness, 1);
  EXPECT_DOUBLE_EQ(other.smoothness, 2);
  // Their quotient is |x - c|: a straight line on either side of c.
  const Points right = (Points(3, 1) << 0.7, 0.8, 0.9).finished();
  const Vector distance = other.at(right).cwiseQuotient(field.at(right));
  EXPECT_NEAR(distance[1] - distance[0], 0.1, 1e-12);
  EXPECT_NEAR(distance[2] - distance[1], 0.1, 1e-12);
}

TEST(AnalyticFields, SeedsGiveDifferentFieldsAndTheSameSeedTheSame) {
  const Points points = midpoint_grid(unit_box(2), 5);
  EXPECT_EQ(random_series(2, 1, 6, 4).at(points), random_series(2, 1, 6, 4).at(points));
  EXPECT_NE(random_series(2, 1, 6, 4).at(points), random_series(2, 1, 6, 5).at(points));
}

TEST(AnalyticFields, RefusesFieldsThatAreNotRough) {
  EXPECT_THROW(point_singularity(1, 2, 1), Error);
  EXPECT_THROW(point_singularity(1, -0.5, 1), Error);
  EXPECT_THROW(point_singularity(4, 1, 1), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
