// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/shard.h"
#include "reproduce/plan.h"

namespace fluidsplat::reproduce {

// Every run is in one part.  Parts take networks in turn, so they take about the same time; which part a run is in
// depends on the plan alone.
std::vector<Run> part_of(const std::vector<Run>& runs, const Shard& shard);

}  // namespace fluidsplat::reproduce
