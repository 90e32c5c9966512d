// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "theory/oracle_sweep.h"

namespace fluidsplat::theory {

struct OracleRequest {
  std::string channel;  // "": the first
  int frames = 30;      // evenly spaced among those left
  std::string split;    // a split file whose training cases are left out, or ""
  OracleSweepSettings sweep;
};

// The oracle smoothing diagnostic on a dataset whose points are a grid.
std::vector<OracleSweepRow> oracle_sweep(const field::Dataset& dataset, const OracleRequest& request);

}  // namespace fluidsplat::theory
