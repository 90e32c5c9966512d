// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/phase_gap.h"

#include <algorithm>
#include <cmath>

namespace fluidsplat::sim {

namespace {

double distance_to_whole(double turns) {
  return std::abs(turns - std::round(turns));
}

}  // namespace

double smallest_phase_gap(std::vector<double> phases) {
  const Index count = std::ssize(phases);
  if (count < 2) return 1;
  for (double& phase : phases) phase -= std::floor(phase);
  std::sort(phases.begin(), phases.end());
  double gap = phases.front() + 1 - phases.back();
  for (Index k = 1; k < count; ++k) gap = std::min(gap, phases[k] - phases[k - 1]);
  return gap * double(count);
}

double smallest_phase_gap(double fraction, double uncertainty, Index count) {
  if (count < 2) return 1;
  // Frames k and k + q are as far apart for every k.
  double gap = 1;
  for (Index q = 1; q < count; ++q)
    gap = std::min(gap, distance_to_whole(double(q) * fraction) - double(q) * uncertainty);
  return gap * double(count);
}

double smallest_phase_gap_of_any_beginning(double fraction, Index count) {
  // Of the series that hold a pair of phases q apart, the one of q + 1 phases has the largest mean gap.
  double gap = 1;
  for (Index q = 1; q < count; ++q) gap = std::min(gap, double(q + 1) * distance_to_whole(double(q) * fraction));
  return gap;
}

}  // namespace fluidsplat::sim
