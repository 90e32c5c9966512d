// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/calibrate_model.h"

namespace fluidsplat::calibrate {

// How strange each case is to its sensors (InstantFindings::strangeness), in the order of the cases.  Empty
// when interrupted.
std::vector<double> strangeness_of(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                   const std::vector<Index>& cases,
                                   const std::shared_ptr<const uncertainty::Calibration>& calibration,
                                   const CalibrationHooks& hooks = {});

// Alarms of the shift test in so many normal frames: blocks of those given, drawn again and again.  It starts anew
// after each.
Index false_shift_alarms(const std::vector<double>& normal, const uncertainty::Calibration& calibration, Index frames,
                         std::uint64_t seed);
// Frames of another flow until the test fires; -1 when it does not.
Index frames_to_warning(const std::vector<double>& other, const uncertainty::Calibration& calibration);

}  // namespace fluidsplat::calibrate
