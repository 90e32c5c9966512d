// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/matrix.h"
#include "uncertainty/conformal.h"
#include "uncertainty/instant_readings.h"

namespace fluidsplat::uncertainty {

// What readings usually differ by from what the others suggest, while certain sensors are silent.
struct SensorHabit {
  std::vector<float> scale;  // of each reading, [V]
  // In these units, of an instant: the largest difference (every group counts once); of a group: their root mean
  // square; and of every instant that (pattern_habits.cpp makes strangeness of it).
  ScoreTable disagreement, consistency;
  std::vector<double> instants;
  // Of each group what every reading differed by, in these units: [groups, 2 V], means and then root mean squares; NaN
  // where nobody spoke.
  model::Matrix block_steps;
};

// The scale of each reading, [V], from differences (said less expected, [V], NaN where nobody spoke) in several
// instants, none of which may be calibrated on.
std::vector<float> usual_differences(const std::vector<std::vector<float>>& differences, const InstantReadings& own);

// From the differences in instants that are calibrated on, and the group of each; groups are in order, from 0.
SensorHabit habit_of(const std::vector<std::vector<float>>& differences, const std::vector<Index>& group,
                     std::vector<float> scale);

// What readings differ by in each group, as SensorHabit::block_steps; `steps` are differences in units of the scale.
model::Matrix block_steps(const std::vector<std::vector<float>>& steps, const std::vector<Index>& group);

}  // namespace fluidsplat::uncertainty
