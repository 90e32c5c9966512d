// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/kriging.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/random.h"

namespace fluidsplat::classical {
namespace {

constexpr Index kSensors = 12, kDim = 3;

double kernel(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const double r = (a - b).norm();
  return (1 + r + r * r / 3) * std::exp(-r);
}

// A channel whose sensors all speak, one where some do, one where none does, and the first again.
TEST(KrigingWeights, AreThoseOfTheSensorsThatSpeak) {
  Random random(3);
  model::Matrix centres(kSensors, kDim), missed(kSensors, 4), weights(kSensors, 4);
  for (Index i = 0; i < centres.size(); ++i) centres.data()[i] = float(random.normal());
  for (Index i = 0; i < missed.size(); ++i) missed.data()[i] = float(random.normal());
  for (const Index s : {2, 5, 11}) missed(s, 1) = NAN;
  missed.col(2).setConstant(NAN);
  missed.col(3) = missed.col(0);
  KrigingWeights solver(kSensors, 4);
  for (int again = 0; again < 2; ++again) {
    solver.solve(centres.data(), kDim, 0.1, missed.data(), weights.data());
    for (Index c = 0; c < 4; ++c) {
      std::vector<Index> speak;
      for (Index s = 0; s < kSensors; ++s)
        if (std::isnan(missed(s, c)))
          EXPECT_EQ(weights(s, c), 0);
        else
          speak.push_back(s);
      const Index n = std::ssize(speak);
      Eigen::MatrixXd gram(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          gram(i, j) = kernel(centres.row(speak[i]).cast<double>(), centres.row(speak[j]).cast<double>());
      gram.diagonal().array() += 0.1;
      const Eigen::VectorXd expected =
          gram.ldlt().solve(Eigen::VectorXd(missed(speak, Eigen::all).col(c).cast<double>()));
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(weights(speak[i], c), expected[i], 1e-5);
    }
    centres *= 0.5f;  // the second time at other places, with the same sensors silent
  }
}

TEST(KrigingSpace, MeasuresInLengthsOfTheLongestSideAndInContrasts) {
  model::Normalization n;
  n.domain = {{0, 1}, {4, 3}};
  n.channels.mean = {7};
  n.channels.scale = {10};
  const KrigingSpace space({.length = 0.5, .contrast = 2, .noise = 0.1}, n);
  const float positions[] = {0, 0, 1, 0, 0, 1, 0, 0}, answers[] = {0, 0, 0, 20};
  std::vector<float> at(4 * 3);
  space.place(positions, answers, 4, 3, 1, at.data());
  const auto distance = [&](Index i) {
    return std::hypot(at[i * 3] - at[0], at[i * 3 + 1] - at[1], at[i * 3 + 2] - at[2]);
  };
  const double length = std::sqrt(5.0);
  EXPECT_NEAR(distance(1), 2 * length, 1e-5) << "the longest side is two lengths";
  EXPECT_NEAR(distance(2), 1 * length, 1e-5) << "the other is half of it";
  EXPECT_NEAR(distance(3), 1 * length, 1e-5) << "answers two scales apart";
}

}  // namespace
}  // namespace fluidsplat::classical
