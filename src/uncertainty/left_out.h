// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "uncertainty/instant_readings.h"

namespace fluidsplat::uncertainty {

// Asks for every sensor that speaks what is said at its place without it.  `at_sensors(without)` makes of values [N][C]
// the field [N][C] at the sensors' places.  Of values [N][C], NaN where silent: expected [V], NaN for silent readings
// and when nobody is left to ask.  `without` has room for [N][C].
template <class AtSensors>
void ask_without_each(const InstantReadings& own, Index channels, const float* values, float* without,
                      const AtSensors& at_sensors, float* expected) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const Index size = own.sensors() * channels;
  std::copy_n(values, size, without);
  std::fill_n(expected, own.size(), kNone);
  const auto& readings = own.readings();
  for (Index first = 0, end = 0; first < own.size(); first = end) {
    const Index sensor = readings[first].sensor;
    bool speaks = false;
    for (end = first; end < own.size() && readings[end].sensor == sensor; ++end)
      speaks = speaks || !std::isnan(values[readings[end].place]);
    if (!speaks) continue;
    std::fill_n(without + sensor * channels, channels, kNone);
    if (!std::all_of(without, without + size, [](float x) { return std::isnan(x); })) {
      const float* field = at_sensors(static_cast<const float*>(without));
      for (Index v = first; v < end; ++v)
        if (!std::isnan(values[readings[v].place])) expected[v] = field[readings[v].place];
    }
    std::copy_n(values + sensor * channels, channels, without + sensor * channels);
  }
}

}  // namespace fluidsplat::uncertainty
