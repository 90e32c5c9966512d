// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/time_blocks.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::uncertainty {
namespace {

// A correlation above this many times its standard error under independence, 1 / sqrt(n), is one.
constexpr double kErrors = 3;
// A correlation that comes back to this is a period.
constexpr double kPeriodic = 0.5;

Index count_present(const std::vector<double>& x) {
  return std::ranges::count_if(x, [](double v) { return !std::isnan(v); });
}

// Over the pairs of which both are there: with missing frames counted as usual ones, what comes back would seem not to.
std::vector<double> autocorrelation(const std::vector<double>& x, Index lags) {
  const Index n = std::ssize(x);
  const auto present = double(count_present(x));
  double mean = 0, variance = 0;
  for (double v : x)
    if (!std::isnan(v)) mean += v / present;
  for (double v : x)
    if (!std::isnan(v)) variance += (v - mean) * (v - mean) / present;
  // What a constant series' mean is off by is no signal.
  const bool is_constant = variance <= 1e-24 * mean * mean;
  std::vector<double> out;
  for (Index lag = 0; lag <= lags; ++lag) {
    double sum = 0;
    Index pairs = 0;
    for (Index i = 0; i + lag < n; ++i) {
      if (std::isnan(x[i]) || std::isnan(x[i + lag])) continue;
      sum += (x[i] - mean) * (x[i + lag] - mean);
      ++pairs;
    }
    out.push_back(is_constant || pairs == 0 ? 0 : sum / double(pairs) / variance);
  }
  return out;
}

}  // namespace

Index block_length(const std::vector<double>& series) {
  const Index present = count_present(series);
  if (present < 8) return 1;
  const auto rho = autocorrelation(series, std::ssize(series) / 4);
  const double noise = kErrors / std::sqrt(double(present));
  // The time that is remembered: the correlation's integral up to where it is lost.
  Index lost = 1;
  double remembered = 1;
  while (lost < std::ssize(rho) && rho[lost] > noise) remembered += 2 * rho[lost++];
  // After that it may come back.
  Index period = 0;
  for (Index lag = lost + 1; lag + 1 < std::ssize(rho) && period == 0; ++lag)
    if (rho[lag] > kPeriodic && rho[lag] >= rho[lag - 1] && rho[lag] > rho[lag + 1]) period = lag;
  if (period > 0) return period;
  return lost == 1 ? 1 : Index(std::ceil(2 * remembered));
}

}  // namespace fluidsplat::uncertainty
