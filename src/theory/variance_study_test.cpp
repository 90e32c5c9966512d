// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/variance_study.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

VarianceSettings small_grid(bool stratified) {
  VarianceSettings settings;
  settings.primitives = {4, 16, 36};
  settings.samples_per_axis = {36, 48};
  settings.noise = {0.01, 1};
  settings.stratified = stratified;
  settings.draws = 12000;
  return settings;
}

TEST(VarianceStudy, RatioIsConstantWithinATenth) {
  for (bool stratified : {false, true}) {
    const std::vector<VarianceCell> cells = study_variance(small_grid(stratified));
    EXPECT_EQ(plentiful(cells).size(), 12u);
    EXPECT_LT(spread(cells), 0.1) << stratified;
    for (const VarianceCell& cell : cells) {
      // Five standard errors of a mean of draws / K squared norms, which vary by 2 / K relative to their
      // mean.
      EXPECT_NEAR(cell.ratio / cell.exact_ratio, 1, 5 * std::sqrt(2.0 / 12000))
          << "K " << cell.primitives << " N " << cell.samples << " sigma " << cell.noise;
      EXPECT_LE(cell.exact_ratio, 1 / cell.stability);
    }
  }
}

// The excess of independent samples is what the first order in 1/N says, averaged over drawings of the
// samples, up to the second order (about the square of the first); samples spread evenly have next to none.
TEST(VarianceStudy, CrowdedIndependentSamplesCostWhatIsExpected) {
  VarianceSettings settings;
  settings.primitives = {16};
  settings.samples_per_axis = {18};
  settings.noise = {1};
  settings.draws = 16;
  double independent = 0, even = 0;
  const int drawings = 40;
  for (int i = 0; i < drawings; ++i) {
    settings.seed = static_cast<std::uint64_t>(i + 1);
    settings.stratified = false;
    independent += study_variance(settings)[0].exact_ratio / drawings;
    settings.stratified = true;
    even += study_variance(settings)[0].exact_ratio / drawings;
  }
  const double expected = study_variance(settings)[0].inflation - 1;
  EXPECT_NEAR(independent - 1, expected, 0.3 * expected);
  EXPECT_LT(even - 1, 0.3 * expected);
}

// One constant function, seen by a very wide Gaussian: kappa = 1 everywhere, nothing is lost.
TEST(VarianceStudy, ExpectedInflationHasItsLimits) {
  GaussianDictionary constant{Points::Constant(1, 2, 0.5), Vector::Constant(1, 1e4)};
  EXPECT_NEAR(expected_inflation(constant, unit_box(2), 10), 1, 1e-6);
  for (int k : {4, 16, 36}) {
    const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), k);
    const double excess = expected_inflation(dictionary, unit_box(2), 100) - 1;
    EXPECT_GT(excess, (k - 1) / 100.0);  // Jensen: kappa has the mean K
    EXPECT_NEAR(expected_inflation(dictionary, unit_box(2), 400) - 1, excess / 4, 1e-12);
  }
}

// A box twice as long and Gaussians twice as wide are the same problem in other units.
TEST(VarianceStudy, ExpectedInflationHasNoUnits) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), 9);
  GaussianDictionary wide{2 * dictionary.centres, 2 * dictionary.scales};
  Box box = unit_box(2);
  box.high *= 2;
  EXPECT_NEAR(expected_inflation(wide, box, 50), expected_inflation(dictionary, unit_box(2), 50), 1e-9);
}

TEST(VarianceStudy, PlentifulMeansManySamplesForEachPrimitive) {
  VarianceCell cell{.primitives = 36};  // 10 * 36 * log 36 = 1290.06
  cell.samples = 1290;
  EXPECT_FALSE(cell.plentiful());
  cell.samples = 1291;
  EXPECT_TRUE(cell.plentiful());
}

TEST(VarianceStudy, SpreadIsRelative) {
  EXPECT_NEAR(spread({{.ratio = 0.9}, {.ratio = 1.1}}), 0.2, 1e-12);
  EXPECT_THROW(spread({}), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
