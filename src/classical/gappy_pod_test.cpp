// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/gappy_pod.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Index rows, Index columns, Random& random) {
  MatrixXd out(rows, columns);
  for (double& x : out.reshaped()) x = random.normal();
  return out;
}

// Without noise and with enough sensors the coefficients are found again.
TEST(GappyPod, FindsCoefficientsThatTheSensorsFix) {
  Random random(1);
  const MatrixXd modes = random_matrix(7, 4, random);
  const VectorXd truth = random_matrix(4, 1, random);
  const GappyPod gappy{VectorXd::Ones(4), 1e-12};
  EXPECT_LT((gappy(modes, modes * truth) - truth).norm(), 1e-5);
}

// The posterior mean is what minimises |M a - r|^2 / noise + sum a^2 / variance.
TEST(GappyPod, IsTheMostProbableAnswer) {
  Random random(2);
  const MatrixXd modes = random_matrix(3, 5, random);
  const VectorXd said = random_matrix(3, 1, random);
  const GappyPod gappy{VectorXd{{3, 1, 0.5, 0.2, 0.1}}, 0.3};
  const VectorXd a = gappy(modes, said);
  const VectorXd slope = modes.transpose() * (modes * a - said) / gappy.noise + a.cwiseQuotient(gappy.variances);
  EXPECT_LT(slope.norm(), 1e-10);
}

// Readings with much noise are trusted less than clean ones.
TEST(GappyPod, LearnsHowNoisyReadingsAre) {
  const auto fitted_noise = [](double noise) {
    Random random(3);
    std::vector<GappyCase> cases;
    for (Index t = 0; t < 60; ++t) {
      GappyCase c{random_matrix(6, 3, random), {}, random_matrix(3, 1, random)};
      c.deviations = c.modes * c.coefficients + noise * random_matrix(6, 1, random);
      cases.push_back(std::move(c));
    }
    return fit_gappy(cases).noise;
  };
  EXPECT_LT(fitted_noise(1e-3), 1e-3);
  EXPECT_GT(fitted_noise(1.0), 0.1);
  EXPECT_LT(fitted_noise(1.0), 10);
}

}  // namespace
}  // namespace fluidsplat::classical
