// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk_curve.h"

#include <algorithm>

#include "base/error.h"
#include "theory/capacity.h"

namespace fluidsplat::theory {

double RiskCurve::minimiser(double sigma) const {
  const auto lowest = std::min_element(terms.begin(), terms.end(), [&](const RiskTerms& a, const RiskTerms& b) {
    return a.risk(sigma) < b.risk(sigma);
  });
  if (lowest == terms.begin() || lowest + 1 == terms.end()) return lowest->primitives;
  double x[3], y[3];
  for (int i = 0; i < 3; ++i) {
    const RiskTerms& t = *(lowest + i - 1);
    x[i] = std::log(t.primitives);
    y[i] = std::log(t.risk(sigma));
  }
  const double left = (y[1] - y[0]) / (x[1] - x[0]), right = (y[2] - y[1]) / (x[2] - x[1]);
  const double curvature = (right - left) / (x[2] - x[0]);
  return curvature > 0 ? std::exp(0.5 * (x[0] + x[1] - left / curvature)) : lowest->primitives;
}

double RiskCurve::predicted_minimiser(double sigma) const {
  const RiskTerms& any = terms.front();
  return balance(std::exp(bias_fit.intercept), -bias_fit.exponent, any.volume * sigma * sigma / any.samples);
}

RiskCurve risk_curve(const RiskProblem& problem, const Points& samples, const std::vector<int>& counts) {
  if (counts.size() < 3) fail("a risk curve needs three counts or more, got {}", counts.size());
  RiskCurve curve;
  std::vector<double> k, bias;
  for (int count : counts) {
    curve.terms.push_back(least_squares_risk(problem, quasi_uniform_dictionary(problem.box, count), samples));
    k.push_back(count);
    bias.push_back(curve.terms.back().bias);
  }
  curve.bias_fit = fit_rate(k, bias);
  return curve;
}

RateFit minimiser_scaling(const RiskCurve& curve, const std::vector<double>& sigmas) {
  std::vector<double> ratio, minimiser;
  for (double sigma : sigmas) {
    ratio.push_back(curve.terms.front().samples / (sigma * sigma));
    minimiser.push_back(curve.minimiser(sigma));
  }
  return fit_rate(ratio, minimiser);
}

}  // namespace fluidsplat::theory
