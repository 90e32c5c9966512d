// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/sensor_check.h"

namespace fluidsplat::uncertainty {

// What was found of one sensor, instant by instant, in order of time.
using SensorHistory = std::vector<SensorFinding>;

// What kind of fault that is: fine when the sensor was never ignored, silent or out of range when that is most of it,
// swapped when it was so most of the time; else by how its difference from what the others suggest behaves where it
// was ignored.  Fewer than eight such instants do not tell more than that it disagrees or spikes.
SensorState fault_of(const SensorHistory& history);

}  // namespace fluidsplat::uncertainty
