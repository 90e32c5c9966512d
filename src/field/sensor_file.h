// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "field/sensors.h"

namespace fluidsplat::field {

// Indices of named channels, sorted; all channels when there are no names.  `where` starts the Error's text.
std::vector<int> channel_indices(const std::vector<std::string>& names, const Schema& schema, const std::string& where);

// Sensors from a CSV with one row each: a column per coordinate, or one column `arclength` (0 to 1, along the wall of
// `mesh`).  Optional columns: `name`, and `channels` with names separated by ; or spaces (empty: `otherwise`).
SensorLayout read_sensor_csv(const std::filesystem::path& file, const Schema& schema, const PointSource& mesh,
                             const std::vector<int>& otherwise);

}  // namespace fluidsplat::field
