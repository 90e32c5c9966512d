// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.h"
#include "uncertainty/conformal.h"

namespace fluidsplat::uncertainty {

// Is this flow one that the model knows?  A running test of how strange readings are (strangeness.h).
//
// Every block of instants gives one score; its rank among the calibration's scores and those that came before gives a
// p-value, and as long as blocks are exchangeable these are independent and uniform.  A bet against that,
//
//   g(p) = integral over e in (0, 1) of e p^(e - 1) = (1 - p + p log p) / (p log(p)^2),
//
// wins nothing on average then, and the Shiryaev-Roberts statistic R <- (1 + R) g(p) reaches a threshold c at the
// earliest after c blocks on average.  It fires there: one false alarm in c blocks, on average, at the most.
class ShiftAlarm {
 public:
  // `calibrated` has one score per block of `block` instants.
  ShiftAlarm(const ScoreTable& calibrated, Index block, double blocks_between_false_alarms = 1e4);

  // An instant's score, a root mean square: a block's is that of its instants.  Returns whether the test has fired, now
  // or before.
  bool add(double score);
  bool fired() const { return fired_; }
  double statistic() const { return statistic_; }
  double threshold() const { return threshold_; }
  Index block() const { return block_; }

 private:
  double p_value(double score);

  Index block_, waiting_ = 0;
  double threshold_, statistic_ = 0, squares_ = 0;
  bool fired_ = false;
  std::vector<float> known_;  // sorted
  Random random_{20};         // breaks ties
};

}  // namespace fluidsplat::uncertainty
