// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/index.h"
#include "theory/spectrum.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"

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
  EXPECT_THROW(isotropic_spectrum(Grid({64}), Vector::Zero(63)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
