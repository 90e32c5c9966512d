// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: sensors that measure one channel, wherever they stand.
#pragma once

#include "uncertainty/instant_readings.h"

namespace fluidsplat::uncertainty {

inline InstantReadings sensors_of_one_channel(Index count, float mean = 0, float scale = 1) {
  model::SensorLayout layout;
  layout.positions = model::Matrix::Zero(count, 2);
  layout.channels.assign(count, {0});
  model::Normalization normalization;
  normalization.readings = {{mean}, {scale}};
  return {layout, normalization};
}

}  // namespace fluidsplat::uncertainty
