// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/smoothness.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

struct Known {
  int dimension, pixels;
  double power;
};

// |x - c|^power as it is: smoothness power + d/2 inside, and no decay at the boundary.
Matrix singular_fields(int d, double power, const Points& points) {
  Random random(15);
  Matrix fields(points.rows(), 4);
  for (Index j = 0; j < fields.cols(); ++j) {
    Eigen::RowVectorXd centre(d);
    for (double& c : centre) c = random.uniform(0.4, 0.6);
    fields.col(j) = (points.rowwise() - centre).rowwise().norm().array().pow(power);
  }
  return fields;
}

TEST(Smoothness, SpectrumFindsWhatIsKnown) {
  for (const auto& [d, pixels, power] :
       {Known{1, 2048, 0.5}, Known{1, 2048, 1.5}, Known{2, 256, 0.5}, Known{2, 256, 1.0}, Known{3, 64, 0.5}}) {
    const Points points = midpoint_grid(unit_box(d), pixels);
    const Grid grid(std::vector<int>(d, pixels));
    const SmoothnessEstimate estimate = smoothness_from_spectrum(grid, singular_fields(d, power, points)).value();
    EXPECT_NEAR(estimate.smoothness, power + 0.5 * d, 0.2 * (power + 0.5 * d)) << "d " << d << " power " << power;
    EXPECT_LT(estimate.low, estimate.smoothness);
    EXPECT_GT(estimate.high, estimate.smoothness);
  }
}

TEST(Smoothness, RatesFindWhatIsKnownOnScatteredPoints) {
  Random random(6);
  for (const auto& [d, unused, power] : {Known{1, 0, 0.5}, Known{2, 0, 0.5}}) {
    const Points points = uniform_points(unit_box(d), 6000, random);
    const SmoothnessEstimate estimate = smoothness_from_rates(points, singular_fields(d, power, points), 2500);
    EXPECT_NEAR(estimate.smoothness, power + 0.5 * d, 0.3 * (power + 0.5 * d)) << "d " << d << " power " << power;
  }
}

// White noise flattens the spectrum; bands that it owns must not count.
TEST(Smoothness, KnownNoiseDoesNotRoughenTheEstimate) {
  const Points points = midpoint_grid(unit_box(2), 256);
  const Grid grid({256, 256});
  Matrix fields = singular_fields(2, 1.0, points);
  const double sigma = 0.05 * std::sqrt(fields.squaredNorm() / double(fields.size()));
  Random random(4);
  for (Index j = 0; j < fields.cols(); ++j)
    for (Index i = 0; i < fields.rows(); ++i) fields(i, j) += sigma * random.normal();
  EXPECT_LT(smoothness_from_spectrum(grid, fields)->smoothness, 1.4);
  EXPECT_NEAR(smoothness_from_spectrum(grid, fields, sigma)->smoothness, 2, 0.5);
}

TEST(Smoothness, SaysWhenThereIsTooLittleToSee) {
  Random random(1);
  const Grid grid({64, 64});
  Vector noise(grid.size());
  for (double& v : noise) v = random.normal();
  EXPECT_FALSE(smoothness_from_spectrum(grid, noise, 1.0).has_value());
  EXPECT_THROW(smoothness_from_rates(uniform_points(unit_box(2), 50, random), Vector::Zero(50)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
