// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/smoothness.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <numbers>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

TEST(Spectrum, AWaveShowsInItsOwnBand) {
  const Grid grid({128, 90});
  Vector wave(grid.size());
  const double f = 0.12;
  for (Index i = 0; i < grid.size(); ++i)
    wave[i] = std::cos(2 * std::numbers::pi * f * (0.6 * grid.coordinate(i, 0) + 0.8 * grid.coordinate(i, 1)));
  const Spectrum spectrum = isotropic_spectrum(grid, wave);
  const auto loudest = std::max_element(spectrum.energy.begin(), spectrum.energy.end()) - spectrum.energy.begin();
  EXPECT_NEAR(std::log(spectrum.frequency[loudest] / f), 0, 0.15);
}

TEST(Spectrum, WhiteNoiseShowsTheEnergyPredictedForIt) {
  for (const std::vector<int>& shape : {std::vector<int>{512}, {96, 96}, {40, 32, 33}}) {
    const Grid grid(shape);
    Random random(2);
    Matrix noise(grid.size(), 40);
    for (Index j = 0; j < noise.cols(); ++j)
      for (Index i = 0; i < noise.rows(); ++i) noise(i, j) = 0.5 * random.normal();
    const Spectrum spectrum = isotropic_spectrum(grid, noise, 6);
    for (std::size_t b = 0; b < spectrum.energy.size(); ++b)
      EXPECT_NEAR(spectrum.energy[b] / spectrum.noise_energy(0.5, b), 1, 0.25);
  }
}

TEST(Spectrum, IsBlindToWhatTheMaskHides) {
  std::vector<char> valid(64 * 64, 1);
  for (std::size_t i = 1000; i < 1100; ++i) valid[i] = 0;
  const Grid grid({64, 64}, valid);
  Vector a = Vector::Random(grid.size()), b = a;
  b.segment(1000, 100).setConstant(std::nan(""));
  EXPECT_EQ(isotropic_spectrum(grid, a).energy, isotropic_spectrum(grid, b).energy);
}

TEST(Spectrum, NeedsEnoughPixels) {
  EXPECT_THROW(isotropic_spectrum(Grid({64, 8}), Vector::Zero(512)), Error);
  EXPECT_THROW(isotropic_spectrum(Grid({64}), Vector::Zero(63)), std::logic_error);
}

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
