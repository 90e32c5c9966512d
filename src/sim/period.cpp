// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/period.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"

namespace fluidsplat::sim {

namespace {

constexpr Index kFewestCycles = 4;  // two slopes that share one crossing

struct Line {
  double slope, standard_error;
};

// Least squares of the values over 0, 1, 2, ...
Line fit_line(std::span<const double> values) {
  const Index count = std::ssize(values);
  const double centre = 0.5 * double(count - 1);
  double mean = 0, moment = 0, index_variance = 0;
  for (const double v : values) mean += v / double(count);
  for (Index k = 0; k < count; ++k) {
    moment += (double(k) - centre) * (values[k] - mean);
    index_variance += (double(k) - centre) * (double(k) - centre);
  }
  const double slope = moment / index_variance;
  double squares = 0;
  for (Index k = 0; k < count; ++k) {
    const double rest = values[k] - mean - slope * (double(k) - centre);
    squares += rest * rest;
  }
  return {slope, std::sqrt(squares / (double(std::max<Index>(1, count - 2)) * index_variance))};
}

Period over(std::span<const double> crossings) {
  const std::size_t half = (crossings.size() + 1) / 2;
  const Line all = fit_line(crossings);
  const double drift = fit_line(crossings.last(half)).slope - fit_line(crossings.first(half)).slope;
  return {all.slope, std::abs(drift) + 3 * all.standard_error};
}

}  // namespace

Period measure_period(std::span<const double> crossings) {
  const Index cycles = std::ssize(crossings) - 1;
  Period best{0, std::numeric_limits<double>::infinity()};
  if (cycles > 0) best.length = (crossings.back() - crossings.front()) / double(cycles);
  for (Index count = kFewestCycles; count <= cycles; count += count / 4) {
    const Period p = over(crossings.last(count + 1));
    if (p.uncertainty < best.uncertainty) best = p;
  }
  return best;
}

}  // namespace fluidsplat::sim
