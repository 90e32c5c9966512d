// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"

namespace fluidsplat::sim {

// A phase is a place in a cycle, in turns.  Gaps between phases are measured against the mean gap, 1 / number of
// phases: 1 is perfectly even, 0 means that two phases are the same.

// The smallest gap between any two of these phases; whole turns do not count.  1 when there is only one phase.
double smallest_phase_gap(std::vector<double> phases);

// The smallest gap between the phases 0, f, 2 f, ..., (count - 1) f of a fraction f of a turn, whatever f is within
// `uncertainty` of the fraction given.  Negative when phases may coincide.
double smallest_phase_gap(double fraction, double uncertainty, Index count);

// The same for the worst of all the shorter series that begin at the same place (at least 2 phases).
double smallest_phase_gap_of_any_beginning(double fraction, Index count);

}  // namespace fluidsplat::sim
