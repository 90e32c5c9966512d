// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"

namespace fluidsplat::learn {

// Columns begin .. end of a side's basis, renewed in one go, and when: at which part of a cycle of refreshes, in [0,
// 1).
struct BasisBlock {
  Index begin = 0, end = 0;
  double place = 0;
  bool is_due(Index step) const;
};

// One side of a matrix: its own length, and that of the other side.
struct SideSize {
  Index length = 0, other = 0;
};

// Spreads the refresh of all bases evenly over a cycle: blocks of columns are worked off one after the other, side
// after side, each step taking its share of the whole.  So no step is long, a side's blocks come in order, and a cycle
// ends with every basis renewed.  Which blocks are due follows from the step alone.
std::vector<std::vector<BasisBlock>> plan_refreshes(const std::vector<SideSize>& sides);

// Steps in a cycle, that is between two refreshes of a basis: few at first, when bases turn fast.  Each phase is a
// multiple of its cycles and of the next ones, so that no cycle is cut short.
constexpr Index refresh_cycle(Index step) {
  return step < 500 ? 10 : step < 2000 ? 20 : 40;
}

}  // namespace fluidsplat::learn
