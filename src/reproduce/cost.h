// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/run_hooks.h"
#include "field/sensors.h"
#include "field/split.h"
#include "reproduce/plan.h"
#include "reproduce/store.h"

namespace fluidsplat::reproduce {

// As many as the paper has; the points of a case, repeated.
inline constexpr Index kCostQueries = 16384;

// What an answer takes from readings to fields at kCostQueries points, one case at a time, of every method of the run's
// layout.  All are timed in one process, turn by turn, so that a busy machine slows all alike.  What a model costs does
// not depend on its weights: networks are trained for one step.  Nothing when the hooks stopped it.
std::optional<std::vector<Timing>> time_methods(const Run& run, const std::filesystem::path& data_file,
                                                const field::Dataset& dataset, const field::Split& split,
                                                const field::SensorLayout& sensors, const RunHooks& hooks);

// cost.md, cost.csv and cost.html of all such runs, the newest first.  False when there is none.
bool write_cost(const std::vector<Finished>& runs, const std::filesystem::path& folder);

}  // namespace fluidsplat::reproduce
