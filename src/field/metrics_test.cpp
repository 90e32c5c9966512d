// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace fluidsplat::field {
namespace {

TEST(Metrics, MatchHandComputedValues) {
  Matrix truth(2, 2), prediction(2, 2);
  truth << 3, 10, 4, 0;
  prediction << 3, 7, 4.5f, 4;
  const auto e = compare(prediction, truth);
  EXPECT_NEAR(e.channel_l2[0], 0.5 / 5, 1e-7);
  EXPECT_NEAR(e.channel_l2[1], 5.0 / 10, 1e-7);
  EXPECT_NEAR(e.relative_l2, std::sqrt((0.25 + 25) / 125), 1e-7);
  EXPECT_NEAR(e.max_error, 4, 1e-7);
  const auto s = summarize({e, compare(truth, truth)}, {0.2, 0.4});
  EXPECT_NEAR(s.relative_l2, e.relative_l2 / 2, 1e-7);
  EXPECT_NEAR(s.relative_l2_worst, e.relative_l2, 1e-7);
  EXPECT_NEAR(s.sensor_consistency, 0.3, 1e-12);
}

TEST(Metrics, AZeroFieldHasAbsoluteErrorAndAbsentReadingsDoNotCount) {
  const Matrix zero = Matrix::Zero(4, 1), half = Matrix::Constant(4, 1, 0.5f);
  EXPECT_EQ(compare(zero, zero).relative_l2, 0);
  EXPECT_NEAR(compare(half, zero).relative_l2, 0.5, 1e-7);
  SensorReadings readings{Matrix::Zero(2, 2), Matrix::Constant(2, 1, 2.0f), {}};
  readings.values(1, 0) = std::nanf("");
  Matrix prediction(2, 1);
  prediction << 3, 1000;
  EXPECT_NEAR(sensor_consistency(prediction, readings), 0.5, 1e-7);
}

TEST(Metrics, AnErrorThatALargeMeanHidesShowsInTheDeviation) {
  Matrix truth(4, 2), mean(4, 2), prediction(4, 2);
  mean << 1000, 5, 1000, 5, 1000, 5, 1000, 5;
  truth << 1003, 5, 1004, 6, 1000, 5, 1000, 5;
  prediction = mean;
  EXPECT_LT(compare(prediction, truth).channel_l2[0], 0.003);
  const auto e = compare_deviation(prediction, truth, mean);
  EXPECT_NEAR(e.channel_l2[0], 1, 1e-7) << "no better than the mean";
  EXPECT_NEAR(e.channel_l2[1], 1, 1e-7);
  EXPECT_NEAR(e.relative_l2, 1, 1e-7);
  EXPECT_NEAR(e.max_error, 4, 1e-7) << "which knows nothing of the mean";
  prediction(0, 0) = 1003;
  EXPECT_NEAR(compare_deviation(prediction, truth, mean).channel_l2[0], 4.0 / 5, 1e-7);
  EXPECT_EQ(compare_deviation(truth, truth, mean).relative_l2, 0);
}

// Four points, of which the last two are the wall, where u is zero.
TEST(Metrics, TheWallIsComparedByItselfAndAChannelAtRestWithTheWholeCase) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points = Matrix::Zero(4, 2);
  mesh->surface = {3, 2};
  Case c;
  c.mesh = mesh;
  c.fields.resize(4, 2);
  c.fields << 2, 1, 2, 1, 0, 3, 0, 4;
  Matrix on_wall(2, 2);
  on_wall << 0.1f, 4, 0, 3.5f;
  const auto e = compare_surface(on_wall, c);
  EXPECT_NEAR(e.channel_l2[1], 0.5 / 5, 1e-7);
  const double rms_of_case = std::sqrt(8.0 / 4), rms_of_error = std::sqrt(0.01 / 2);
  EXPECT_NEAR(e.channel_l2[0], rms_of_error / rms_of_case, 1e-7);
  EXPECT_NEAR(e.max_error, 0.5, 1e-7);
  EXPECT_NEAR(e.channel_max[0], 0.1, 1e-7);
}

// Round-off of a channel that does not vary is not an error of many times its size.
TEST(Metrics, ConstantChannelsDoNotBlowUp) {
  Matrix truth(1000, 2);
  truth.col(0).setConstant(101325);
  truth.col(1).setZero();
  Matrix mean = truth, prediction = truth;
  mean(3, 0) += 0.0078125f;  // one bit
  prediction.col(0).array() += 0.5f;
  prediction.col(1).array() += 1e-3f;
  const auto deviation = compare_deviation(prediction, truth, mean);
  EXPECT_NEAR(deviation.channel_l2[0], 0.5 / 101325, 1e-8);
  EXPECT_NEAR(deviation.channel_l2[1], 1e-3, 1e-8) << "of zeros, the size of the differences";
  EXPECT_NEAR(compare(prediction, truth).channel_l2[1], 1e-3, 1e-8);
  EXPECT_LT(deviation.relative_l2, 1e-5);
}

}  // namespace
}  // namespace fluidsplat::field
