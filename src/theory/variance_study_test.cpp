// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/variance_study.h"

#include <gtest/gtest.h>

#include <stdexcept>

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
    EXPECT_LT(relative_range(cells), 0.1) << stratified;
    for (const VarianceCell& cell : cells) {
      // Five standard errors of a mean of draws / K squared norms, which vary by 2 / K relative to their mean.
      EXPECT_NEAR(cell.ratio / cell.exact_ratio, 1, 5 * std::sqrt(2.0 / 12000))
          << "K " << cell.primitives << " N " << cell.samples << " sigma " << cell.noise;
      EXPECT_LE(cell.exact_ratio, 1 / cell.stability);
    }
  }
}

// Averaged over drawings of the samples, the excess of independent ones is what the first order in 1/N says, up to the
// second order (about the square of the first); samples spread evenly have next to none.
TEST(VarianceStudy, CrowdedIndependentSamplesCostWhatIsExpected) {
  VarianceSettings settings;
  settings.primitives = {16};
  settings.samples_per_axis = {18};
  settings.noise = {1};
  settings.drawings = 40;
  settings.draws = 1;
  const VarianceCell independent = study_variance(settings)[0];
  settings.stratified = true;
  const VarianceCell even = study_variance(settings)[0];
  const double expected = independent.inflation - 1;
  EXPECT_NEAR(independent.exact_ratio - 1, expected, 3 * independent.luck / std::sqrt(40) + expected * expected);
  EXPECT_LT(even.exact_ratio - 1, 0.3 * expected);
}

// From one drawing to the next the ratio varies as the theory of the mean of kappa says.
TEST(VarianceStudy, OneDrawingIsAMatterOfLuck) {
  VarianceSettings settings;
  settings.primitives = {4};
  settings.samples_per_axis = {24};
  settings.noise = {1};
  settings.drawings = settings.draws = 1;
  const int drawings = 200;
  double square = 0, luck = 0;
  for (int i = 0; i < drawings; ++i) {
    settings.seed = static_cast<std::uint64_t>(i + 1);
    const VarianceCell cell = study_variance(settings)[0];
    luck = cell.luck;
    square += (cell.exact_ratio - cell.inflation) * (cell.exact_ratio - cell.inflation) / drawings;
  }
  EXPECT_NEAR(std::sqrt(square), luck, 0.2 * luck);  // 0.2: four standard errors of 200 squares
}

// One constant function, as a very wide Gaussian: kappa is the same everywhere, nothing is lost.
TEST(VarianceStudy, InflationHasItsLimits) {
  GaussianDictionary constant{Points::Constant(1, 2, 0.5), Vector::Constant(1, 1e4)};
  EXPECT_NEAR(sampling_inflation(constant, unit_box(2), 10).expected, 1, 1e-6);
  EXPECT_NEAR(sampling_inflation(constant, unit_box(2), 10).deviation, 0, 1e-4);
  for (int k : {4, 16, 36}) {
    const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), k);
    const Inflation few = sampling_inflation(dictionary, unit_box(2), 100),
                    many = sampling_inflation(dictionary, unit_box(2), 400);
    EXPECT_GT(few.expected - 1, (k - 1) / 100.0);  // Jensen: kappa has the mean K
    EXPECT_NEAR(many.expected - 1, (few.expected - 1) / 4, 1e-12);
    EXPECT_NEAR(many.deviation, few.deviation / 2, 1e-12);
  }
}

// A box twice as long and Gaussians twice as wide are the same problem in other units.
TEST(VarianceStudy, InflationHasNoUnits) {
  const GaussianDictionary dictionary = quasi_uniform_dictionary(unit_box(2), 9);
  GaussianDictionary wide{2 * dictionary.centres, 2 * dictionary.scales};
  Box box = unit_box(2);
  box.high *= 2;
  const Inflation a = sampling_inflation(wide, box, 50), b = sampling_inflation(dictionary, unit_box(2), 50);
  EXPECT_NEAR(a.expected, b.expected, 1e-9);
  EXPECT_NEAR(a.deviation, b.deviation, 1e-9);
}

TEST(VarianceStudy, PlentifulMeansManySamplesForEachPrimitive) {
  VarianceCell cell{.primitives = 36};  // 10 * 36 * log 36 = 1290.06
  cell.samples = 1290;
  EXPECT_FALSE(cell.plentiful());
  cell.samples = 1291;
  EXPECT_TRUE(cell.plentiful());
}

TEST(VarianceStudy, SpreadIsRelative) {
  EXPECT_NEAR(relative_range({{.ratio = 0.9}, {.ratio = 1.1}}), 0.2, 1e-12);
  EXPECT_THROW(relative_range({}), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::theory
