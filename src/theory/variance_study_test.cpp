// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/variance_study.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(VarianceStudy, RatioIsConstantWithinATenth) {
  VarianceSettings settings;
  settings.primitives = {4, 16, 36};
  settings.samples_per_axis = {24, 32};
  settings.draws = 4000;
  const std::vector<VarianceCell> cells = study_variance(settings);
  EXPECT_EQ(cells.size(), 18u);
  for (const VarianceCell& cell : cells) {
    EXPECT_NEAR(cell.ratio, 1.0, 0.1)
        << "K " << cell.primitives << " N " << cell.samples << " sigma " << cell.noise;
    EXPECT_LE(cell.ratio, 1.05 / cell.stability);  // 1.05: the Monte-Carlo error
  }
}

// For Gaussian designs E trace((A^T A)^-1) = K / (N - K - 1): independent samples must cost at least about
// that.
TEST(VarianceStudy, IndependentSamplesCostMore) {
  VarianceSettings settings;
  settings.primitives = {36};
  settings.samples_per_axis = {12};
  settings.noise = {1};
  settings.draws = 10000;
  const double even = study_variance(settings)[0].ratio;
  settings.stratified = false;
  const double independent = study_variance(settings)[0].ratio;
  EXPECT_GT(independent, 1.2);
  EXPECT_GT(independent, even);
}

TEST(VarianceStudy, SpreadIsRelative) {
  EXPECT_NEAR(spread({{1, 1, 1, 0.9, 1}, {1, 1, 1, 1.1, 1}}), 0.2, 1e-12);
  EXPECT_THROW(spread({}), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
