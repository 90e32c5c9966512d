// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/calibration.h"
#include "uncertainty/sensor_habit.h"
#include "uncertainty/strangeness.h"

namespace fluidsplat::uncertainty {

// What readings usually differ by, for whichever sensors are silent.
//
// Without a certain sensor the others differ in a way of their own: thresholds for all speaking, or for as many silent
// ones drawn at random, would blame sound sensors too often with some patterns and never with others.  So of each
// pattern the readings of the past are asked with the same sensors silent.  A pattern that does not depend on what the
// sensors say has then the promised rate of false alarms, like all speaking.  It costs some hundredths of a second when
// a pattern is first met and is remembered.  One thread at a time.
class PatternHabits {
 public:
  PatternHabits(std::shared_ptr<const Calibration> calibration, InstantReadings own, Expectation model);

  // What the others say of each reading; values [N][C], NaN where silent, expected [V].
  void expect(const float* values, float* expected) { expectation_(values, expected); }
  // The habit of those who speak in values; null when too few are left to tell.  A reference is good until the next
  // call.
  const SensorHabit* of(const float* values);
  // How strange an instant is whose sensors fit each other so well; with silent ones as if all spoke: that of the same
  // rank among instants of the past.
  double strangeness(const float* values, double consistency);
  // Whether habits are those of the very sensors that are silent, not only of their number.
  bool knows_patterns() const { return calibration_->instants.calibrated.rows() > 0; }

 private:
  SensorHabit make(const std::vector<bool>& speak);

  std::shared_ptr<const Calibration> calibration_;
  InstantReadings own_;
  LeftOutExpectation expectation_;
  std::vector<SensorHabit> by_rung_;
  Strangeness strange_;
  std::vector<double> all_speak_;  // strangeness of instants, rising
  std::vector<float> normalized_;
  std::map<std::vector<bool>, SensorHabit> by_pattern_;
};

}  // namespace fluidsplat::uncertainty
