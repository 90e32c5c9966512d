// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/neighbours.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(Neighbours, AgreesWithBruteForce) {
  for (int d : {1, 2, 3}) {
    Random random(7, d);
    const Points points = uniform_points(unit_box(d), 300, random);
    const Neighbours tree(points);
    const Points queries = uniform_points(unit_box(d), 40, random);
    std::vector<Neighbours::Hit> hits;
    for (Index q = 0; q < queries.rows(); ++q) {
      const Vector squared = (points.rowwise() - queries.row(q)).rowwise().squaredNorm();
      Index best;
      squared.minCoeff(&best);
      EXPECT_EQ(tree.nearest(queries.row(q).data()).index, best);
      EXPECT_EQ(tree.nearest(queries.row(q).data(), 1000).size(), 300u);
      tree.within(queries.row(q).data(), 0.2, hits);
      EXPECT_EQ(std::ssize(hits), (squared.array() < 0.04).count());
      for (std::size_t i = 0; i < hits.size(); ++i) {
        EXPECT_NEAR(hits[i].squared_distance, squared[hits[i].index], 1e-15);
        if (i > 0) {
          EXPECT_LT(hits[i - 1].index, hits[i].index);
        }
      }
    }
  }
}

TEST(Neighbours, RefusesPointsThatCannotBeSearched) {
  EXPECT_THROW(Neighbours(Points(0, 2)), Error);
  Points bad = Points::Zero(3, 2);
  bad(1, 1) = std::nan("");
  EXPECT_THROW(Neighbours{bad}, Error);
}

}  // namespace
}  // namespace fluidsplat::theory
