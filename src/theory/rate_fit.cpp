// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/rate_fit.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::theory {
namespace {

// The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified Lentz method.
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 / std::max(1 - (a + b) * x / (a + 1), kTiny), value = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (double term : {even, odd}) {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      change = c * d;
      value *= change;
    }
    if (std::abs(change - 1) < 1e-15) break;
  }
  return value;
}

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only below the mean of the distribution.
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);
  const double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) * beta_fraction(x, a, b) / a;
}

}  // namespace

double student_t_probability(double t, double freedom) {
  const double tail = 0.5 * incomplete_beta(freedom / (freedom + t * t), 0.5 * freedom, 0.5);
  return t > 0 ? 1 - tail : tail;
}

double student_t_half_width(double confidence, double freedom) {
  double low = 0, high = 1;
  while (2 * student_t_probability(high, freedom) - 1 < confidence && high < 1e12) high *= 2;
  for (int step = 0; step < 200 && high - low > 1e-14 * high; ++step) {
    const double middle = 0.5 * (low + high);
    (2 * student_t_probability(middle, freedom) - 1 < confidence ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double RateFit::at(double x) const {
  return std::exp(intercept + exponent * std::log(x));
}

RateFit fit_rate(std::span<const double> counts, std::span<const double> errors, double confidence) {
  if (counts.size() != errors.size() || counts.size() < 2)
    misuse("a rate needs two or more (count, error) pairs; got {} counts and {} errors", counts.size(), errors.size());
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

void RateCurve::add(int count, const Vector& errors) {
  const double average = errors.mean(), n = double(errors.size());
  counts.push_back(count);
  mean.push_back(average);
  deviation.push_back(n > 1 ? std::sqrt((errors.array() - average).square().sum() / (n - 1)) : 0);
}

}  // namespace fluidsplat::theory
