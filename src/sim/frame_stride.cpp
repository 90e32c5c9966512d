// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/frame_stride.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {

namespace {

// Phases of more frames than this are dense enough whatever they do.
constexpr int kLongestRepeat = 64;
constexpr double kPoorSpread = 0.05;

}  // namespace

double spread(double fraction, int count) {
  double worst = 1;
  for (int q = 1; q <= count; ++q) {
    const double turns = q * fraction;
    worst = std::min(worst, q * std::abs(turns - std::round(turns)));
  }
  return worst;
}

int frame_stride(double period, double fraction, int frames) {
  if (!(period > 0)) fail("shedding period of {} steps: must be positive", period);
  if (!(fraction > 0)) fail("frame step of {} periods: must be positive", fraction);
  const int count = std::min(frames, kLongestRepeat);
  const int centre = std::max(1, int(std::lround(fraction * period)));
  const int reach = std::max(1, centre / 20);
  int best = centre;
  double best_spread = -1;
  for (int stride = std::max(1, centre - reach); stride <= centre + reach; ++stride) {
    const double s = spread(stride / period, count);
    if (s > best_spread) {
      best = stride;
      best_spread = s;
    }
  }
  if (count > 1 && best_spread < kPoorSpread) {
    fail(
        "frame step of {} periods: near a simple fraction of the shedding period ({} steps), frames would repeat; try "
        "{:.4f}",
        fraction, period, 1 / (8 + 0.618034));
  }
  return best;
}

}  // namespace fluidsplat::sim
