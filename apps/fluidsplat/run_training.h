// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "field/metrics.h"
#include "learn/config/train_config.h"
#include "learn/distributed/group.h"

namespace fluidsplat::app {

// What happens to a run that the folder holds already; without either, it is refused to start another there.
enum class EarlierRun { kept, continued, replaced };

// Trains with a progress line, then judges the best model on the test cases of the split.  Empty when interrupted, and
// on all ranks but the first, which says nothing and judges nothing.
std::optional<field::ErrorSummary> run_training(const learn::TrainConfig& config, EarlierRun earlier,
                                                learn::Group& group = learn::alone());

}  // namespace fluidsplat::app
