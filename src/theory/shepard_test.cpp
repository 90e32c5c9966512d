// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/shepard.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

Matrix dense_weights(const Points& points, const Points& centres, double scale) {
  Matrix weights(points.rows(), centres.rows());
  for (Index k = 0; k < centres.rows(); ++k)
    weights.col(k) = (-(points.rowwise() - centres.row(k)).rowwise().squaredNorm() / (2 * scale * scale)).array().exp();
  return weights.rowwise().sum().asDiagonal().inverse() * weights;
}

TEST(Shepard, TruncationStaysBelowItsTolerance) {
  for (int d : {1, 2, 3})
    for (double tolerance : {1e-3, 1e-10}) {
      Random random(17, d);
      const Points points = uniform_points(unit_box(d), 200, random),
                   centres = uniform_points(unit_box(d), 150, random);
      const double scale = 0.5 * mean_spacing(1, d, 150);
      const Matrix sparse = shepard_weights(points, centres, scale, tolerance),
                   dense = dense_weights(points, centres, scale);
      Vector values(150);
      for (double& v : values) v = random.uniform(-1, 1);
      const double range = values.maxCoeff() - values.minCoeff();
      EXPECT_LE((sparse * values - dense * values).cwiseAbs().maxCoeff(), tolerance * range + 1e-13);
      EXPECT_LT((sparse.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-13);
      EXPECT_GE(sparse.minCoeff(), 0);
    }
}

TEST(Shepard, FarFromEveryCentreTheNearestDecides) {
  Points centres(2, 1), points(2, 1);
  centres << 0, 1;
  points << 1e6, -3e5;
  const Matrix weights = shepard_weights(points, centres, 1e-3);
  EXPECT_EQ(weights(0, 1), 1);
  EXPECT_EQ(weights(1, 0), 1);
}

TEST(Shepard, NarrowScaleIsNearestNeighbourAndWideScaleIsTheMean) {
  Random random(2);
  const Points centres = uniform_points(unit_box(2), 50, random), points = uniform_points(unit_box(2), 20, random);
  const Matrix narrow = shepard_weights(points, centres, 1e-9);
  EXPECT_TRUE((narrow.rowwise().maxCoeff().array() == 1).all());
  EXPECT_LT((shepard_weights(points, centres, 1e4).toDense().array() - 1.0 / 50).abs().maxCoeff(), 1e-9);
}

TEST(Shepard, RefusesAScaleThatIsNotPositive) {
  EXPECT_THROW(shepard_weights(Points::Zero(1, 1), Points::Zero(1, 1), 0), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
