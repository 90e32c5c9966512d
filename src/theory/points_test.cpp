// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/points.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

TEST(Points, GridsFillTheBoxLastAxisFastest) {
  Box box{Vector(2), Vector(2)};
  box.low << -1, 0;
  box.high << 1, 3;
  const Points grid = midpoint_grid(box, 2);
  Points expected(4, 2);
  expected << -0.5, 0.75, -0.5, 2.25, 0.5, 0.75, 0.5, 2.25;
  EXPECT_TRUE(grid.isApprox(expected));
  EXPECT_DOUBLE_EQ(box.volume(), 6);
  Random random(1);
  const Points drawn = stratified_points(box, 2, random);
  EXPECT_LT((drawn - grid).col(0).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_LT((drawn - grid).col(1).cwiseAbs().maxCoeff(), 0.75);
}

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
  EXPECT_THROW(Neighbours(Points(0, 2)), std::logic_error);
  Points bad = Points::Zero(3, 2);
  bad(1, 1) = std::nan("");
  EXPECT_THROW(Neighbours{bad}, Error);
}

}  // namespace
}  // namespace fluidsplat::theory
