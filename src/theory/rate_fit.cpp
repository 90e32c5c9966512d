// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_fit.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "theory/student_t.h"

namespace fluidsplat::theory {

double RateFit::at(double x) const {
  return std::exp(intercept + exponent * std::log(x));
}

RateFit fit_rate(std::span<const double> counts, std::span<const double> errors, double confidence) {
  if (counts.size() != errors.size() || counts.size() < 2)
    fail("a rate needs two or more (count, error) pairs; got {} counts and {} errors", counts.size(), errors.size());
  const auto n = double(counts.size());
  std::vector<double> x, y;
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!(counts[i] > 0) || !(errors[i] > 0) || !std::isfinite(counts[i] + errors[i]))
      fail("a log-log fit needs positive finite numbers; got error {} at count {}", errors[i], counts[i]);
    x.push_back(std::log(counts[i]));
    y.push_back(std::log(errors[i]));
    mean_x += x.back() / n;
    mean_y += y.back() / n;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (!(xx > 0)) fail("a rate needs two different counts; all are {}", counts[0]);

  RateFit fit;
  fit.exponent = xy / xx;
  fit.intercept = mean_y - fit.exponent * mean_x;
  fit.count = int(x.size());
  const double unexplained = std::max(0.0, yy - fit.exponent * xy);
  fit.r_squared = yy > 0 ? 1 - unexplained / yy : 1;
  const double half = x.size() > 2 ? student_t_half_width(confidence, n - 2) * std::sqrt(unexplained / (n - 2) / xx)
                                   : std::numeric_limits<double>::infinity();
  fit.low = fit.exponent - half;
  fit.high = fit.exponent + half;
  return fit;
}

}  // namespace fluidsplat::theory
