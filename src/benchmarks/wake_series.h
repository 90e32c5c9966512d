// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "base/shard.h"
#include "benchmarks/cylinder_wake.h"

namespace fluidsplat::benchmarks {

// Wakes at several Reynolds numbers in one Dataset, which has the descriptor Re, `options.frames` frames of each.
//
// Each Reynolds number is kept in a file of its own beside `file` until all are there, so that an interrupted series
// goes on where it was; parts that were made with other settings are made again.  One report per Reynolds number, as
// far as they were made in this call; the last one is not complete when the series was interrupted.
//
// Processes that share the Reynolds numbers make those of their shard; the one that finds all parts there joins them.
std::vector<sim::WakeReport> make_wake_series(const std::filesystem::path& file, const CylinderWakeOptions& options,
                                              const std::vector<double>& reynolds, const RunHooks& hooks = {},
                                              const Shard& shard = {});

}  // namespace fluidsplat::benchmarks
