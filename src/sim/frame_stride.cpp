// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/frame_stride.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/misuse.h"
#include "sim/phase_gap.h"

namespace fluidsplat::sim {

namespace {

// Gaps beyond this are even enough.  Among strides that have them the first frames decide: a series that ends up even
// can begin with frames that crowd in a few places.
constexpr double kEven = 0.5;

constexpr double kShortest = 0.8;  // of the longest stride

}  // namespace

FrameStride frame_stride(const Period& period, double longest, Index frames) {
  if (!(period.length > 0)) misuse("shedding period of {} steps: must be positive", period.length);
  if (!(longest > 0)) misuse("frame step of {} periods: must be positive", longest);
  const int last = std::max(1, int(longest * period.length));
  const int first = std::max(1, int(std::ceil(kShortest * last)));
  FrameStride best{0, 0};
  std::pair best_merit{0.0, 0.0};
  for (int steps = first; steps <= last; ++steps) {
    const double fraction = steps / period.length;
    const double gap = smallest_phase_gap(fraction, fraction * period.uncertainty / period.length, frames);
    const std::pair merit{std::min(gap, kEven), smallest_phase_gap_of_any_beginning(fraction, frames)};
    if (best.steps > 0 && merit <= best_merit) continue;
    best = {steps, gap};
    best_merit = merit;
  }
  return best;
}

}  // namespace fluidsplat::sim
