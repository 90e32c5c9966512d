// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/fault.h"

#include <limits>

#include "base/misuse.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr Index kEvery = 10, kFirst = 4;  // rows of spikes

// What one reading says instead.
float wrong(const Fault& fault, float said, float stuck_at, float spread, double through, Random& random) {
  const double size = fault.size * double(spread);
  switch (fault.kind) {
    case SensorState::silent:
      return std::numeric_limits<float>::quiet_NaN();
    case SensorState::stuck:
      return stuck_at;
    case SensorState::biased:
    case SensorState::out_of_range:
    case SensorState::spiking:
      return said + float(size);
    case SensorState::drifting:
      return said + float(size * through);
    case SensorState::noisy:
      return said + float(size * random.normal());
    default:
      misuse("\"{}\" is no fault of one sensor", name_of(fault.kind));
  }
}

}  // namespace

bool acts_in(const Fault& fault, Index row) {
  return fault.kind != SensorState::spiking || row % kEvery == kFirst;
}

void inject(const Fault& fault, const InstantReadings& own, const std::vector<float>& spread,
            std::vector<std::vector<float>>& rows, Random& random) {
  const auto sound = rows;
  const Index count = std::ssize(rows), channels = std::ssize(rows.front()) / own.sensors();
  for (Index r = 0; r < count; ++r) {
    if (!acts_in(fault, r)) continue;
    if (fault.kind == SensorState::swapped) {
      for (Index c = 0; c < channels; ++c)
        std::swap(rows[r][fault.sensor * channels + c], rows[r][fault.partner * channels + c]);
      continue;
    }
    for (Index v = 0; v < own.size(); ++v) {
      const auto& reading = own.readings()[v];
      if (reading.sensor != fault.sensor) continue;
      rows[r][reading.place] = wrong(fault, sound[r][reading.place], sound[0][reading.place], spread[v],
                                     double(r + 1) / double(count), random);
    }
  }
}

}  // namespace fluidsplat::uncertainty
