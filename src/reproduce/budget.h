// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/config/suggest.h"

namespace fluidsplat::reproduce {

// The config with as many steps as its train.max_minutes allow at this cost, but no more than it had: schedules then
// end with the run.  A rate that falls on plateaus counts validations, so these stay as they are; others are made
// fewer.  Checkpoints come at least every half minute.  From here on the steps decide, not a clock: a machine that
// others use too, or a repetition on another one, ends at the same step.
learn::TrainConfig fit_to_budget(learn::TrainConfig config, const learn::StepCost& cost);

}  // namespace fluidsplat::reproduce
