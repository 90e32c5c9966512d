// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/estimate_normals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/random.h"
#include "field/convexity.h"

namespace fluidsplat::field {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Points on a sphere around the origin, of radius 1.
Matrix on_sphere(Index count, std::uint64_t seed) {
  Random random(seed);
  Matrix out(count, 3);
  for (Index i = 0; i < count; ++i) {
    const double z = random.uniform(-1, 1), angle = random.uniform(0, kTurn), r = std::sqrt(1 - z * z);
    out.row(i) << float(r * std::cos(angle)), float(r * std::sin(angle)), float(z);
  }
  return out;
}

double least_agreement(const Matrix& normals, const Matrix& truth) {
  return normals.cwiseProduct(truth).rowwise().sum().minCoeff();
}

TEST(EstimateNormals, OfSpheresLookOutwards) {
  // Two that do not touch, of different sizes.
  const Matrix truth = on_sphere(6000, 1);
  Matrix points = truth;
  points.topRows(2000) *= 0.5f;
  points.topRows(2000).col(0).array() += 9;
  const auto normals = estimate_normals(points);
  EXPECT_GT(least_agreement(normals, truth), 0.97);
  for (Index i = 0; i < points.rows(); ++i) EXPECT_NEAR(normals.row(i).norm(), 1, 1e-5);
}

// Where a surface looks towards its own middle: the inner side of a ring.
TEST(EstimateNormals, OfARingLookAwayFromTheTubeNotFromTheMiddle) {
  Random random(2);
  Matrix points(6000, 3), truth(6000, 3);
  for (Index i = 0; i < points.rows(); ++i) {
    const double around = random.uniform(0, kTurn), across = random.uniform(0, kTurn);
    const Eigen::RowVector3d out(std::cos(around), std::sin(around), 0), up(0, 0, 1);
    const Eigen::RowVector3d normal = std::cos(across) * out + std::sin(across) * up;
    truth.row(i) = normal.cast<float>();
    points.row(i) = (2 * out + 0.7 * normal).cast<float>();
  }
  EXPECT_GT(least_agreement(estimate_normals(points), truth), 0.95);
}

TEST(EstimateNormals, OfABoxAreThoseOfItsFacesAwayFromEdges) {
  Random random(3);
  Matrix points(6000, 3), truth = Matrix::Zero(6000, 3);
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index a = 0; a < 3; ++a) points(i, a) = float(random.uniform(-1, 1));
    const Index axis = i % 3;
    points(i, axis) = i % 2 == 0 ? 1.0f : -1.0f;
    truth(i, axis) = points(i, axis);
  }
  const auto normals = estimate_normals(points);
  for (Index i = 0; i < points.rows(); ++i) {
    const double agreement = normals.row(i).dot(truth.row(i));
    EXPECT_GT(agreement, 0) << i;
    const bool is_inside_a_face = (points.row(i).array().abs() < 0.8f).count() == 2;
    if (is_inside_a_face) {
      EXPECT_GT(agreement, 0.999) << i;
    }
  }
}

TEST(EstimateNormals, OfALoopInThePlane) {
  Matrix points(100, 2);
  for (Index i = 0; i < points.rows(); ++i)
    points.row(i) << float(std::cos(kTurn * double(i) / 100)), float(std::sin(kTurn * double(i) / 100));
  EXPECT_GT(least_agreement(estimate_normals(points), points), 0.999);
}

TEST(EstimateNormals, TooFewPointsAreRefused) {
  EXPECT_THROW(estimate_normals(Matrix::Random(3, 3)), Error);
}

// A cap's points lie half its height below its top on average, and its height is r^2 / 2 R.
TEST(Convexity, OfASphereIsAQuarterOfTheRadiusOverItsOwn) {
  const Matrix points = on_sphere(20000, 4);
  for (double radius : {0.3, 0.6}) {
    const auto seen = convexity(points, points, radius);
    EXPECT_NEAR(seen.mean(), radius / 4, 0.01 * radius);
    EXPECT_LT((seen.array() - seen.mean()).abs().maxCoeff(), 0.15 * radius);
  }
  const Matrix inwards = -points;
  EXPECT_NEAR(convexity(points, inwards, 0.3).mean(), -0.075, 0.003);
}

TEST(Convexity, OfWhatIsFlatIsZero) {
  Matrix points = Matrix::Random(5000, 3), normals = Matrix::Zero(5000, 3);
  points.col(2).setConstant(0.3f);
  normals.col(2).setOnes();
  EXPECT_LT(convexity(points, normals, 0.2).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace fluidsplat::field
