// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/least_squares_risk.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// The U-shaped risk of least squares over the number of Gaussians, for one field and one set of samples.
struct RiskCurve {
  std::vector<RiskTerms> terms;  // by increasing K
  RateFit bias_fit;              // of the squared bias over K: exponent near -2s/d

  // The count of least risk, between the tabulated ones (a parabola in log-log through the three lowest).
  double minimiser(double sigma) const;
  // K* with this curve's own constants: the minimiser of the fitted bias plus volume * sigma^2 K / N.
  double predicted_minimiser(double sigma) const;
};

RiskCurve risk_curve(const RiskProblem& problem, const Points& samples, const std::vector<int>& counts);

// log K_min over log(N / sigma^2): the theory says d / (2s + d).
RateFit minimiser_scaling(const RiskCurve& curve, const std::vector<double>& sigmas);

}  // namespace fluidsplat::theory
