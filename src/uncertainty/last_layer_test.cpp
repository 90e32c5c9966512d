// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/last_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kWidth = 40, kRows = 300;

// Layers whose numbers depend on each other.
model::Matrix draw_layers(Random& random, double size) {
  model::Matrix out(kRows, kWidth);
  for (Index i = 0; i < kRows; ++i) {
    double last = 0;
    for (Index k = 0; k < kWidth; ++k)
      out(i, k) = float(last = size * (0.3 + random.normal()) * (1 + double(k % 5)) + 0.7 * last);
  }
  return out;
}

class LastLayerTest : public testing::Test {
 protected:
  LastLayerTest() {
    for (Index k = 0; k < 20; ++k) {
      const auto h = draw_layers(random_, 1);
      learner_.add(h);
      Eigen::MatrixXd with_one(kRows, kWidth + 1);
      with_one << h.cast<double>(), Eigen::VectorXd::Ones(kRows);
      sum_ += with_one.transpose() * with_one / (20.0 * kRows);
    }
  }
  // By its definition.
  Eigen::VectorXd exact(const model::Matrix& hidden) const {
    Eigen::MatrixXd s = sum_;
    s.diagonal().array() += 1e-6 * s.diagonal().mean();
    Eigen::MatrixXd h(hidden.rows(), kWidth + 1);
    h << hidden.cast<double>(), Eigen::VectorXd::Ones(hidden.rows());
    return ((h * s.inverse()).cwiseProduct(h).rowwise().sum() / double(kWidth + 1)).cwiseSqrt();
  }
  Random random_{3};
  LastLayerLearner learner_;
  Eigen::MatrixXd sum_ = Eigen::MatrixXd::Zero(kWidth + 1, kWidth + 1);
};

TEST_F(LastLayerTest, IsThePosteriorDeviationWithAllDirections) {
  const auto layer = learner_.learn(kWidth + 1);
  for (double size : {1.0, 3.0}) {
    const auto h = draw_layers(random_, size);
    const auto doubt = layer.doubt(h);
    const auto expected = exact(h);
    for (Index i = 0; i < kRows; ++i) EXPECT_NEAR(doubt[i], expected[i], 1e-4 * expected[i]);
  }
}

TEST_F(LastLayerTest, FewDirectionsKeepLengths) {
  const auto layer = learner_.learn(32);
  EXPECT_EQ(layer.directions.rows(), 32);
  const auto h = draw_layers(random_, 1);
  const Eigen::VectorXd ratio = layer.doubt(h).cast<double>().cwiseQuotient(exact(h));
  EXPECT_NEAR(ratio.mean(), 1, 0.08);
  // 1 / sqrt(2 * 32) = 0.125
  EXPECT_LT(std::sqrt((ratio.array() - ratio.mean()).square().mean()), 0.17);
  EXPECT_EQ(learner_.learn(32).directions, layer.directions);
}

TEST_F(LastLayerTest, IsOneInTrainingAndMoreBeyond) {
  const auto layer = learner_.learn(32);
  const auto rms = [&](double size) {
    return std::sqrt(double(layer.doubt(draw_layers(random_, size)).squaredNorm()) / kRows);
  };
  EXPECT_NEAR(rms(1), 1, 0.1);
  EXPECT_GT(rms(3), 2.5);
}

TEST_F(LastLayerTest, MisuseIsNoticed) {
  EXPECT_THROW(LastLayerLearner().learn(4), std::logic_error);
  EXPECT_THROW(learner_.learn(4).doubt(model::Matrix::Zero(2, 3)), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::uncertainty
