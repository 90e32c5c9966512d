// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/risk_curve.h"

namespace fluidsplat::theory {

struct RiskStudySettings {
  int dimension = 1;
  double power = 0.5;  // the field is a point singularity: s = power + d/2
  int samples = 0;     // rounded to a whole number per axis; 0: 1200 in 1-D, 4096 in 2-D
  double noise = 0;    // of a sample; 0: a value that puts the minimum in the middle of the table
  std::uint64_t seed = 3;
};

// Least squares with noisy samples of a field of known smoothness: the U-shaped risk, its minimum against K*, and how
// the minimum moves with N / sigma^2.
struct RiskStudy {
  RiskStudySettings settings;  // with defaults resolved
  double smoothness = 0;
  RiskCurve curve;
  std::vector<double> noises;   // for the scaling
  RateFit scaling;              // of the minimiser over N / sigma^2
  double expected_scaling = 0;  // d / (2s + d)
};

RiskStudy study_risk(RiskStudySettings settings = {});

}  // namespace fluidsplat::theory
