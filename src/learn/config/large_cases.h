// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "learn/config/train_config.h"

namespace fluidsplat::learn {

// Whether a case of the dataset with its mesh takes more than half of train.memory_budget.  Such cases are never read
// whole.
bool has_large_cases(const TrainConfig& config, const field::Dataset& dataset);

// Throws Error when the dataset has such cases and the settings ask for what only whole ones can tell.
void check_large_cases(const TrainConfig& config, const field::Dataset& dataset);

}  // namespace fluidsplat::learn
