// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensors.h"
#include "field/split.h"
#include "learn/config/suggest.h"

namespace fluidsplat::learn {

// Trains a few steps in a temporary folder and looks at the clock.
StepCost measure_step(TrainConfig config, const field::Dataset& dataset, const field::Split& split,
                      const field::SensorLayout& sensors);

}  // namespace fluidsplat::learn
