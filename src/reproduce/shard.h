// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reproduce/plan.h"

namespace fluidsplat::reproduce {

// One of several processes that share a plan: part `index` (from 1) of `count`.
struct Shard {
  Index index = 1, count = 1;
};

// "2/3".  Throws Error for anything else.
Shard parse_shard(const std::string& text);

// Every run is in one part.  Parts take networks in turn, so they take about the same time; which part a run is in
// depends on the plan alone.
std::vector<Run> part_of(const std::vector<Run>& runs, const Shard& shard);

}  // namespace fluidsplat::reproduce
