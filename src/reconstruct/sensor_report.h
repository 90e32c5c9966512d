// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/sensor_check.h"

namespace fluidsplat::reconstruct {

// What is done about sensors that do not fit the others: they are named and used, named and ignored, or an Error.
enum class SensorPolicy { warn, mask, refuse };

// What was found of the sensors in a series of readings.
struct SensorReport {
  std::vector<uncertainty::InstantFindings> rows;
  std::vector<uncertainty::SensorState> faults;  // per sensor, over all rows
  std::vector<Index> wrong_throughout;           // sensors that only all rows together show to be wrong
  std::vector<double> shift;                     // the shift test's statistic, row by row
  Index shifted_at = -1;                         // the row in which it fired; -1: it did not
  double false_alarms = 0, blocks_between_false_alarms = 0;
};

}  // namespace fluidsplat::reconstruct
