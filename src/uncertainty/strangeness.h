// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/calibration.h"

namespace fluidsplat::uncertainty {

// How unlike the flows of the past an instant's readings are: they do not fit each other, or they fit and are far from
// all readings of training, as those of another body may be.  The larger of the two counts, each in units of what is
// usual; the unit of the distance is from cases that are not calibrated on, so that this is one fixed function of the
// readings and calibrated blocks are exchangeable with the next ones.
class Strangeness {
 public:
  explicit Strangeness(const Calibration& calibration);
  // Of readings [V], normalised, NaN where a sensor says nothing, that fit each other so well (root mean square of
  // their differences from what the others suggest).
  double of(const float* normalized, double consistency) const;
  // Of the calibrated instants, with all sensors speaking; and one score per group, root mean square over its instants.
  const std::vector<double>& instants() const { return instants_; }
  const ScoreTable& groups() const { return groups_; }

 private:
  ReadingDistance distance_;  // without training where nothing is known of what is usual
  double unit_ = 1;
  std::vector<double> instants_;
  ScoreTable groups_;
};

}  // namespace fluidsplat::uncertainty
