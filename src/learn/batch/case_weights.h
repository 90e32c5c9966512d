// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "field/dataset.h"

namespace fluidsplat::learn {

// How much each training case counts in the loss, channel by channel: all alike, or by one over the mean square of its
// own field, so that a weak flow's relative error counts as much as a strong one's.  The mean over cases is 1.
class CaseWeights {
 public:
  CaseWeights() = default;
  // Reads each of the cases.  A channel that is next to nothing in a case counts there as if it were a hundredth of
  // what it is on average (root mean square).
  static CaseWeights relative(const field::Dataset& dataset, const std::vector<Index>& cases);

  // Scales a case's weights [rows, C].
  void apply(Index case_index, Eigen::Ref<field::Matrix> weights) const;

 private:
  std::map<Index, Eigen::RowVectorXf> of_case_;  // empty: all alike
};

}  // namespace fluidsplat::learn
