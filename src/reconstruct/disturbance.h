// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "field/sensors.h"
#include "model/normalization.h"

namespace fluidsplat::reconstruct {

// What real sensors do to readings: noise, and silence.
struct Disturbance {
  double noise = 0;  // standard deviation, as a share of how much readings of a channel vary in training
  Index dead = 0;    // sensors that say nothing
  std::uint64_t seed = 1;
};

// The same for the same readings; which sensors are dead changes from instant to instant.  Throws Error when none is
// left.
field::SensorReadings disturb(field::SensorReadings readings, const Disturbance& disturbance,
                              const model::Scaling& scaling);

}  // namespace fluidsplat::reconstruct
