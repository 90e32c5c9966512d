// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// error ~ exp(intercept) * count^exponent, fitted by least squares in log-log.
struct RateFit {
  double exponent = 0, intercept = 0;
  double low = 0, high = 0;  // the two-sided confidence interval of the exponent (Student's t)
  double r_squared = 0;
  int count = 0;

  double at(double x) const;
  bool covers(double value) const { return low <= value && value <= high; }
};

// Needs two different counts, three for an interval (two points leave it infinite).  All must be positive.
RateFit fit_rate(std::span<const double> counts, std::span<const double> errors, double confidence = 0.95);

// Relative L2 errors over primitive counts, of several fields on the same points.
struct RateCurve {
  std::vector<double> counts, mean, deviation;  // over fields; the deviation is that of a sample
  RateFit fit;                                  // of the mean

  void add(int count, const Vector& errors);
  void finish() { fit = fit_rate(counts, mean); }
};

// P(T <= t) for Student's t with `freedom` degrees of freedom.
double student_t_probability(double t, double freedom);

// The t with P(|T| <= t) = confidence: the half width of a two-sided interval, in standard errors.
double student_t_half_width(double confidence, double freedom);

}  // namespace fluidsplat::theory
