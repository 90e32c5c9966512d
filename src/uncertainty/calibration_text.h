// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "uncertainty/calibration.h"

namespace fluidsplat::uncertainty {

// A calibration in words, several lines of them: what it was measured on, which levels can be asked for, how bands
// vary, which numbers have intervals.  Null: that there is none, and how to make one.
std::string describe(const Calibration* calibration);

// How often a sound sensor is taken out when `asked` of instants was asked for, in one sentence; few cases or blocks
// can only promise a larger share, and the sentence says so.
std::string describe_false_alarms(const Calibration& calibration, double asked);

}  // namespace fluidsplat::uncertainty
