// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/exhibit.h"
#include "theory/advice.h"
#include "theory/oracle.h"
#include "theory/rate_study.h"
#include "theory/risk.h"
#include "theory/variance_study.h"

namespace fluidsplat::report {

// The theory's results, one page each.

// `subject`: what was looked at, for the first paragraph.
Exhibit show_oracle(const std::vector<theory::OracleSweepRow>& rows, const theory::OracleSweepSettings& settings,
                    const std::string& subject);
Exhibit show_rates(const std::vector<theory::RateStudy>& studies);
Exhibit show_risk(const theory::RiskStudy& study);
// Whether the variance is proportional to sigma^2 K / N, for both ways to draw samples.
Exhibit show_variance(const std::vector<theory::VarianceCell>& independent,
                      const std::vector<theory::VarianceCell>& stratified);
Exhibit show_advice(const theory::Advice& advice, const std::string& subject);

struct CapacityQuestion {
  int dimension = 2;
  std::vector<double> sensors = {4, 8, 16, 32}, smoothness = {1, 2, 3};
  double noise = 1;           // relative to the field
  double reynolds = 0;        // 0: say nothing of boundary layers
  double corner_degrees = 0;  // 0: say nothing of corners
};
Exhibit show_capacity(const CapacityQuestion& question);

}  // namespace fluidsplat::report
