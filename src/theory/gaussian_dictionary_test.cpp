// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/gaussian_dictionary.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <numbers>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(Gram, ClosedFormAgreesWithQuadrature) {
  for (int d : {1, 2, 3}) {
    Random random(6, d);
    Box box{Vector::Constant(d, -0.5), Vector::Constant(d, 1.25)};
    GaussianDictionary dictionary{uniform_points(box, 6, random), Vector(6)};
    for (double& s : dictionary.scales) s = random.uniform(0.3, 0.9);
    // The midpoint rule errs by h^2; two grids and one extrapolation leave h^4.
    const int n = d == 3 ? 24 : 60;
    const Matrix coarse = gram_by_quadrature(dictionary, midpoint_grid(box, n), box.volume());
    const Matrix fine = gram_by_quadrature(dictionary, midpoint_grid(box, 2 * n), box.volume());
    const Matrix extrapolated = (4 * fine - coarse) / 3;
    EXPECT_LT((gram_on_box(dictionary, box) - extrapolated).cwiseAbs().maxCoeff(), 1e-5) << "d = " << d;
  }
}

TEST(Gram, OfANarrowGaussianInsideIsItsIntegral) {
  GaussianDictionary one{Points::Constant(1, 2, 0.5), Vector::Constant(1, 0.03)};
  EXPECT_NEAR(gram_on_box(one, unit_box(2))(0, 0), std::numbers::pi * 0.03 * 0.03, 1e-15);
}

TEST(Gram, HalfOfACentreOnTheEdgeIsInside) {
  GaussianDictionary one{Points::Zero(1, 1), Vector::Constant(1, 0.03)};
  EXPECT_NEAR(gram_on_box(one, unit_box(1))(0, 0), 0.5 * std::sqrt(std::numbers::pi) * 0.03, 1e-15);
}

TEST(GaussianDictionary, HasTheScaleAskedForAndRefusesOtherDimensions) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), 64, 0.8);
  EXPECT_EQ(dictionary.size(), 64);
  const double fill = measure_geometry(dictionary.centres, midpoint_grid(unit_box(2), 64)).fill_distance;
  EXPECT_NEAR(dictionary.scales[63], 0.8 * fill, 1e-12);
  EXPECT_THROW(observation_matrix(dictionary, Points::Zero(3, 3)), std::logic_error);
  EXPECT_THROW(gram_on_box(dictionary, unit_box(1)), std::logic_error);
  const Matrix values = observation_matrix(dictionary, dictionary.centres);
  EXPECT_TRUE(values.diagonal().isApproxToConstant(1));
  EXPECT_TRUE(values.isApprox(values.transpose()));
}

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
  EXPECT_THROW(spectral_stability(observation_matrix(dictionary, few), Matrix::Identity(3, 3), 1), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::theory
