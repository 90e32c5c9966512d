// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/base_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"

namespace fluidsplat::model {
namespace {

Matrix scattered(Index count, Index dim, std::uint64_t seed = 1) {
  Random random(seed);
  Matrix out(count, dim);
  for (Index i = 0; i < count; ++i)
    for (Index a = 0; a < dim; ++a) out(i, a) = float(random.uniform(-1, 2));
  return out;
}

Matrix values_at(const Matrix& points, const std::function<float(const Eigen::RowVectorXf&, Index channel)>& field) {
  Matrix out(points.rows(), 2);
  for (Index i = 0; i < points.rows(); ++i)
    for (Index c = 0; c < 2; ++c) out(i, c) = field(points.row(i), c);
  return out;
}

float linear(const Eigen::RowVectorXf& x, Index channel) {
  return channel == 0 ? 3 + 2 * x[0] - x[1] : 1 - 0.5f * x[x.size() - 1];
}

float wavy(const Eigen::RowVectorXf& x, Index channel) {
  return float(channel + 1) * std::sin(2 * x[0]) * std::cos(x[1]);
}

TEST(BaseField, IsExactAtItsPoints) {
  for (Index dim : {2, 3}) {
    const auto points = scattered(300, dim);
    const BaseField field(points, values_at(points, wavy));
    Matrix found(300, 2);
    field.evaluate(points.data(), 300, found.data());
    EXPECT_LT((found - field.values()).cwiseAbs().maxCoeff(), 1e-6) << dim;
  }
}

TEST(BaseField, ReproducesLinearFieldsAndTheirSlopesBetweenThePoints) {
  for (Index dim : {2, 3}) {
    const auto points = scattered(2000, dim);
    const BaseField field(points, values_at(points, linear));
    const Matrix asked = (0.5 * scattered(100, dim, 2)).array() + 0.2f;
    Matrix found(100, 2), slopes(100, 2 * dim);
    field.evaluate(asked.data(), 100, found.data(), slopes.data());
    EXPECT_LT((found - values_at(asked, linear)).cwiseAbs().maxCoeff(), 1e-5) << dim;
    for (Index i = 0; i < 100; ++i) {
      EXPECT_NEAR(slopes(i, 0), 2, 1e-3);
      EXPECT_NEAR(slopes(i, 1), -1, 1e-3);
      EXPECT_NEAR(slopes(i, 2 * dim - 1), -0.5, 1e-3);
    }
  }
}

// Halving the distance between points makes the error about four times smaller.
TEST(BaseField, IsOfSecondOrderOnAGrid) {
  const auto error = [](Index side) {
    Matrix points(side * side, 2);
    for (Index i = 0; i < side * side; ++i)
      points.row(i) << float(i % side) / float(side - 1), float(i / side) / float(side - 1);
    const BaseField field(points, values_at(points, wavy));
    const Matrix asked = (scattered(500, 2).array() + 1) / 3 * 0.8f + 0.1f;
    Matrix found(500, 2);
    field.evaluate(asked.data(), 500, found.data());
    return (found - values_at(asked, wavy)).norm();
  };
  const double ratio = error(21) / error(41);
  EXPECT_GT(ratio, 3.2);
  EXPECT_LT(ratio, 5);
}

TEST(BaseField, IsContinuous) {
  const auto points = scattered(200, 2);
  const BaseField field(points, values_at(points, wavy));
  const auto at = [&](float x) {
    const float position[] = {x, 0.3f};
    float value[2];
    field.evaluate(position, 1, value);
    return value[0];
  };
  // Over a thousandth of a typical spacing the field moves by a thousandth of what it does over one.
  float largest = 0;
  for (float x = -0.5f; x < 1.5f; x += 1e-4f) largest = std::max(largest, std::abs(at(x + 1e-4f) - at(x)));
  EXPECT_LT(largest, 0.01f);
}

TEST(BaseField, CoincidingAndCollinearPointsGiveSaneValues) {
  Matrix points(12, 2);
  for (Index i = 0; i < 12; ++i) points.row(i) << float(i / 2), 0;  // each twice, all on one line
  const BaseField field(points, values_at(points, linear));
  const float asked[] = {2.5f, 0, 2, 0, 2.5f, 0.7f, 100, 100};
  float found[8];
  field.evaluate(asked, 4, found);
  EXPECT_NEAR(found[0], 8, 1e-3);
  EXPECT_NEAR(found[2], 7, 1e-3);
  EXPECT_NEAR(found[4], 8, 1e-2);
  // Far outside it stays within what the points know.
  EXPECT_GE(found[6], 3);
  EXPECT_LE(found[6], 13 + 10);
}

// What points on a curve or surface say of the slope across it is curvature and rounding; a field that were continued
// with it would be anything off the surface.
TEST(BaseField, FromPointsOnASurfaceNothingIsMadeUpOffIt) {
  for (Index dim : {2, 3}) {
    Matrix points = scattered(1000, dim).array() - 0.5f;
    points.rowwise().normalize();
    const BaseField field(points, values_at(points, wavy));
    const float most = field.values().cwiseAbs().maxCoeff();
    Matrix found(1000, 2);
    for (const float distance : {0.5f, 0.9f, 1.1f, 2.0f}) {
      const Matrix asked = distance * points;
      field.evaluate(asked.data(), 1000, found.data());
      EXPECT_LT(found.cwiseAbs().maxCoeff(), 1.2f * most) << dim << ' ' << distance;
    }
  }
}

TEST(BaseField, OnePointIsAConstant) {
  Matrix point(1, 2), value(1, 2);
  point << 1, 1;
  value << 5, 6;
  const BaseField field(point, value);
  const float asked[] = {3, 4};
  float found[2], slopes[4];
  field.evaluate(asked, 1, found, slopes);
  EXPECT_EQ(found[0], 5);
  EXPECT_EQ(found[1], 6);
  for (float s : slopes) EXPECT_EQ(s, 0);
}

TEST(BaseField, LooksUpItsOwnPointsAndInterpolatesOthers) {
  const auto points = scattered(100, 2);
  const BaseField field(points, values_at(points, wavy));
  EXPECT_EQ(field.at(points), field.values());
  EXPECT_EQ(field.at(points.topRows(40)), field.values().topRows(40));
  EXPECT_LT((field.at(points.bottomRows(40)) - field.values().bottomRows(40)).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace fluidsplat::model
