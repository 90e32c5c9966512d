// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensors.h"
#include "field/split.h"
#include "learn/config/suggest.h"

namespace fluidsplat::learn {

// What a user waits for, or what a thread works: the second is the same however busy the machine is.
enum class StepClock { kWall, kProcessor };

// Trains a few steps in a temporary folder and looks at the clock.
StepCost measure_step(TrainConfig config, const field::Dataset& dataset, const field::Split& split,
                      const field::SensorLayout& sensors, StepClock clock = StepClock::kWall);

}  // namespace fluidsplat::learn
