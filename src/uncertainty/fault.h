// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "uncertainty/instant_readings.h"
#include "uncertainty/sensor_check.h"

namespace fluidsplat::uncertainty {

// A fault that is put into sound readings on purpose, to see whether it is found.
struct Fault {
  // silent, stuck, out_of_range, biased, drifting, noisy, spiking or swapped.
  SensorState kind = SensorState::biased;
  // In standard deviations of the reading in training: how far it is off, at the end of a drift, in a spike, beyond the
  // range; the standard deviation of noise.  Means nothing for silent, stuck and swapped ones.
  double size = 1;
  Index sensor = 0;
  Index partner = -1;  // of a swapped one
};

// Whether the fault shows in a row: spikes come every tenth.
bool acts_in(const Fault& fault, Index row);
// Into rows of values [N][C], in order of time; `spread` is the standard deviation of each reading in training, [V].
void inject(const Fault& fault, const InstantReadings& own, const std::vector<float>& spread,
            std::vector<std::vector<float>>& rows, Random& random);

}  // namespace fluidsplat::uncertainty
