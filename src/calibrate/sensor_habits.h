// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/coverage.h"
#include "reconstruct/left_out_readings.h"
#include "uncertainty/reading_law.h"

namespace fluidsplat::calibrate {

// What the sensors of a model usually say of each other: how a reading follows from the others (by the law of training
// readings or by the model, whichever is sharper for cases that fitted neither), how much it differs from that, and how
// much it does on the cases that are calibrated on.  With silent sensors the law is asked later, for the very ones that
// are silent; numbers of silent ones are only measured where there is none.
class SensorHabits {
 public:
  // What is going on, how far it is; false stops.
  using Step = std::function<bool(const char* what, Index done, Index total)>;
  SensorHabits(CaseReader& reader, const std::vector<Index>& ladder, Step step);

  // `held_out` are never calibrated on; those among them that trained are left out of the law.  False when stopped.
  bool learn(const std::vector<Index>& training, const std::vector<Index>& held_out);
  // Writes the law and, into the rungs of the ladder, what the groups of cases show.  False when stopped.
  bool measure(const Groups& groups, uncertainty::Calibration& out);

 private:
  void go_to(Index index, Index silent);
  // Said less expected, [V].
  std::vector<float> errors(Index index, Index silent);
  bool learn_law(const std::vector<Index>& training, const std::vector<Index>& held_out);

  CaseReader& reader_;
  const std::vector<Index>& ladder_;
  Step step_;
  const uncertainty::InstantReadings& own_;
  reconstruct::LeftOutModel left_out_;
  field::SensorReadings now_;
  std::shared_ptr<const uncertainty::ReadingLaw> law_;
  std::optional<uncertainty::LeftOutExpectation> expectation_;
  std::vector<std::vector<float>> usual_readings_;  // normalised, of cases that are held out
  std::vector<std::vector<float>> scales_;          // per rung, [V]; empty where no sensor can be spared
};

}  // namespace fluidsplat::calibrate
