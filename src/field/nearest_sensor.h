// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/sensors.h"

namespace fluidsplat::field {

// The simplest reconstruction: at every point of the mesh each channel, [n, C], is what the nearest sensor says of it;
// of several that are as near, the first.  Nothing when no sensor says anything of some channel.
std::optional<Matrix> nearest_sensor_field(const SensorReadings& readings, const Mesh& mesh);

}  // namespace fluidsplat::field
