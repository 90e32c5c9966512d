// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/seen_data.h"
#include "field/sensors.h"
#include "field/split.h"
#include "learn/config/train_config.h"

namespace fluidsplat::learn {

// What a config says of data and sensors, made for a dataset.  Errors name the config's key.
field::SeenData::How how_seen(const DataConfig& config);
field::Split make_split(const DataConfig& config, const field::Dataset& dataset);
field::SensorLayout make_sensors(const SensorConfig& config, const field::Dataset& dataset);

// The smallest dataset folder check: an Error that says how to make the file when it is not there.
void check_dataset_exists(const std::string& file);

}  // namespace fluidsplat::learn
