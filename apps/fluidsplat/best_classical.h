// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "field/metrics.h"
#include "field/seen_data.h"
#include "field/sensors.h"
#include "field/split.h"

namespace fluidsplat::app {

// Says what the best method that needs no training errs by on the cases that a model was judged by, and keeps it as
// classical.json in the run's folder.
void tell_best_classical(const field::SeenData& data, const field::Split& split, const field::SensorLayout& sensors,
                         const field::ErrorSummary& ours, const std::filesystem::path& folder);

}  // namespace fluidsplat::app
