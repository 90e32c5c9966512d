// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "field/dataset.h"
#include "reconstruct/comparison.h"
#include "reproduce/outcome.h"

namespace fluidsplat::reproduce {

// Clean, with 1 and 5 % noise, and with a quarter of the sensors dead (one at least, and never all).
std::vector<reconstruct::Condition> conditions_for(Index sensors);

// At most so many of them (0: all), evenly spread.
std::vector<Index> spread(const std::vector<Index>& cases, Index most);

// A model under every condition, with its own sensors or another number of them.  Nothing when `go_on` said false.
std::optional<Judged> judge(reconstruct::FieldModel& model, const field::Dataset& dataset,
                            const std::vector<Index>& cases, Index sensors, const std::function<bool()>& go_on);

}  // namespace fluidsplat::reproduce
