// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/shard.h"
#include "benchmarks/cylinder_wake.h"

namespace fluidsplat::app {

// Simulates with a progress line and says what came out.  Returns false when interrupted.
bool make_wake(const std::string& out, const benchmarks::CylinderWakeOptions& options);
// The same for several Reynolds numbers in one dataset.
bool make_wakes(const std::string& out, const benchmarks::CylinderWakeOptions& options,
                const std::vector<double>& reynolds, const Shard& shard = {});

}  // namespace fluidsplat::app
