// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "uncertainty/pattern_habits.h"

namespace fluidsplat::uncertainty {

enum class SensorState {
  fine,
  silent,        // says nothing
  out_of_range,  // says what it never does
  disagrees,     // with what the others suggest
  stuck,         // says the same again and again; this and what follows takes several instants to see
  biased,        // is off by much the same
  drifting,      // is off by more and more
  noisy,         // is off now this way, now that
  spiking,       // is off now and then
  swapped,       // says what another one should
};
const char* name_of(SensorState state);

// What was found of a sensor.
struct SensorFinding {
  SensorState state = SensorState::fine;
  // Of its reading that fits worst, what it is, and what the sound others suggest: NaN when they suggest nothing.
  Index reading = -1;
  float said = 0, expected = std::numeric_limits<float>::quiet_NaN();
  // The difference in units of what it usually is, positive where the sensor says too much.
  double steps = 0;
  Index partner = -1;  // of a swapped one
  bool is_ignored() const { return state != SensorState::fine; }
};

struct InstantFindings {
  std::vector<SensorFinding> sensors;
  // How unlike the flows of the past it is (strangeness.h); NaN when too few are left to tell.  One sensor that
  // disagrees is a fault, and it is that of the others; several at once may as well be another flow, and it is that of
  // all.  With silent sensors, as if all spoke: that of the same rank.
  double strangeness = 0;
  // Of every reading that is not ignored, as in SensorFinding; [V], NaN elsewhere.
  std::vector<float> steps;
  Index ignored = 0;  // silent ones among them
  // As many as may be were taken out and the rest still do not fit each other: no sensor's fault alone.
  bool is_unresolved = false;
};

// Each sensor against what the others say.  One thread at a time.
class SensorCheck {
 public:
  struct Options {
    // The share of instants with sound sensors in which some sensor is wrongly taken out.  At least 1 / (groups + 1).
    double false_alarms = kFalseAlarms;
    Index most_ignored = -1;  // so many are taken out at the most, silent ones counted; -1: half
  };
  // `model` is what the model says of each without it; the calibration's law is asked where that is sharper.  Throws
  // Error when the calibration knows nothing of sensors.
  SensorCheck(std::shared_ptr<const Calibration> calibration, InstantReadings readings, Expectation model,
              Options options);
  // The rate that can be promised.
  double false_alarms() const { return options_.false_alarms; }

  // Looks at one instant's values [N][C] and sets what is to be ignored to NaN: a sensor is taken out as a whole. Those
  // that other instants have shown to be wrong are taken out first.
  InstantFindings check(float* values, const std::vector<Index>& known_wrong = {});

  // For whole series: what the readings of an instant differ by when exactly these sensors are out, in units of what is
  // usual then, and what blocks of the past show with these out.  NaN and empty where that is not known.
  struct Compared {
    std::vector<float> steps;
    const model::Matrix* block_steps = nullptr;  // good until the next call
  };
  Compared compare_without(const std::vector<Index>& out, const float* values);
  // Whether false alarms are as rare with silent sensors, in whole series.
  bool knows_patterns() const { return habits_.knows_patterns(); }

 private:
  struct Look {
    std::vector<float> steps, expected;  // [V]; steps signed
    double worst = 0, strangeness = 0;
    Index worst_reading = -1;
    bool is_known = false;
    bool fits = true;
  };
  Look look(const float* values);
  void silence(float* values, Index sensor) const;
  void take_out_impossible(float* values, InstantFindings& found) const;
  std::vector<Index> worst_readings(const Look& now) const;
  bool take_out_worst(float* values, Look& now, InstantFindings& found);
  void tell(Index sensor, const float* values, const Look& look, SensorFinding& finding) const;
  void ask_the_sound(Index sensor, const std::vector<float>& said, const float* values, SensorFinding& finding);
  void mark_swapped(const std::vector<float>& said, InstantFindings& found);

  std::shared_ptr<const Calibration> calibration_;
  InstantReadings readings_;
  PatternHabits habits_;
  Options options_;
  Index channels_ = 0;
};

}  // namespace fluidsplat::uncertainty
