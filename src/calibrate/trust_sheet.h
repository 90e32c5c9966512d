// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/calibrate_model.h"
#include "field/provenance.h"

namespace fluidsplat::calibrate {

// What was measured over random splits, and of what.
struct TrustSheet {
  std::string title;
  field::Provenance provenance;
  std::string machine;
  Index cases = 0;  // unseen ones
  const CalibrationRequest& request;
  const CalibrationResult& result;
};

// For people: coverage at every level for every number of silent sensors, by region, and widths beside the rivals'.
std::string trust_markdown(const TrustSheet& sheet);
// For programs: the same numbers and the rivals', after comment lines that say what made them.
std::string trust_csv(const TrustSheet& sheet);

}  // namespace fluidsplat::calibrate
