// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/case_errors.h"

namespace fluidsplat::calibrate {

// Errors of many cases with one number of silent sensors, in groups that count once.
struct RungErrors {
  Index silent = 0;
  std::vector<CaseErrors> cases;
};
using Groups = std::vector<std::vector<Index>>;  // of cases, as numbers in RungErrors::cases

// What was covered of cases that were not calibrated on, on average over random splits, at one level and with one
// number of silent sensors.  Channels are averaged.
struct CoverageRow {
  Index silent = 0;
  uncertainty::Promise promise = uncertainty::Promise::at_least;
  double level = 0;
  double pointwise = 0, pointwise_spread = 0;  // share of points; its standard deviation over splits
  double simultaneous = 0;                     // share of fields wholly inside
  double width = 0;                            // of the pointwise band, in root mean square errors of the model
  std::vector<double> functionals = {};        // share of cases
  std::vector<double> regions = {};            // pointwise, by region; NaN where there is none
  Index splits = 0;                            // that could promise the level
};

// Each split calibrates on a random share of the groups, at least one and not all, and judges the others.
std::vector<CoverageRow> coverage_over_splits(const std::vector<RungErrors>& errors, const Groups& groups, Index splits,
                                              const std::vector<double>& levels, std::uint64_t seed,
                                              double share = 0.5);
// So many groups that is.
Index calibrating_groups(Index groups, double share);

const char* name_of(uncertainty::Promise promise);

// The table for programs.
std::string coverage_csv(const std::vector<CoverageRow>& rows, const std::vector<uncertainty::Functional>& functionals);

}  // namespace fluidsplat::calibrate
