// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk_study.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

TEST(RiskStudy, MinimumLiesWhereTheTheoryPutsIt) {
  const RiskStudy study = study_risk();
  EXPECT_NEAR(study.expected_scaling, 1.0 / 3, 1e-12);
  EXPECT_NEAR(study.scaling.exponent, study.expected_scaling, 0.1);
  const double sigma = study.settings.noise;
  EXPECT_NEAR(study.curve.predicted_minimiser(sigma) / study.curve.minimiser(sigma), 1, 0.4);
  for (const RiskTerms& terms : study.curve.terms) EXPECT_LE(terms.risk(sigma), terms.bound(sigma));
}

TEST(RiskStudy, FewSamplesShortenTheTable) {
  RiskStudySettings settings;
  settings.samples = 100;
  const RiskStudy study = study_risk(settings);
  EXPECT_EQ(study.curve.terms.back().primitives, 23);
  settings.samples = 30;
  EXPECT_THROW(study_risk(settings), Error);
  settings.dimension = 4;
  EXPECT_THROW(study_risk(settings), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
