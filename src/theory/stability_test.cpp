// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/stability.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "theory/gram.h"

namespace fluidsplat::theory {
namespace {

TEST(SpectralStability, IsOneForTheSamplesThatDefineTheGramMatrix) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), 12);
  const Points points = midpoint_grid(unit_box(2), 20);
  const Matrix gram = gram_by_quadrature(dictionary, points, 3.0);
  const SpectralStability stability = spectral_stability(observation_matrix(dictionary, points), gram, 3.0);
  EXPECT_EQ(stability.rank, 12);
  EXPECT_NEAR(stability.lower, 1, 1e-8);
  EXPECT_NEAR(stability.upper, 1, 1e-8);
}

TEST(SpectralStability, BoundsEveryQuadraticForm) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 8);
  Random random(3);
  const Points samples = uniform_points(unit_box(1), 40, random);
  const Matrix a = observation_matrix(dictionary, samples), gram = gram_on_box(dictionary, unit_box(1));
  const SpectralStability stability = spectral_stability(a, gram, 1);
  EXPECT_LT(stability.lower, 1);
  EXPECT_GT(stability.upper, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector c = Vector::Random(8);
    const double ratio = (a * c).squaredNorm() / (40 * c.dot(gram * c));
    EXPECT_GE(ratio, stability.lower * (1 - 1e-9));
    EXPECT_LE(ratio, stability.upper * (1 + 1e-9));
  }
}

TEST(SpectralStability, IsZeroWhenSensorsCannotTellGaussiansApart) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(1), 8);
  const Points few = midpoint_grid(unit_box(1), 4);
  EXPECT_LT(spectral_stability(observation_matrix(dictionary, few), gram_on_box(dictionary, unit_box(1)), 1).lower,
            1e-9);
  EXPECT_THROW(spectral_stability(observation_matrix(dictionary, few), Matrix::Identity(3, 3), 1), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
