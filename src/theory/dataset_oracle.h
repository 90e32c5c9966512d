// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"
#include "theory/oracle_sweep.h"

namespace fluidsplat::theory {

struct OracleRequest {
  std::string channel;  // "": the first
  int frames = 30;      // evenly spaced among those left
  std::string split;    // a split file, or a run's folder that holds one: its training cases are left out
  OracleSweepSettings sweep;
};

struct DatasetOracle {
  std::vector<OracleSweepRow> rows;
  std::vector<int> cases;  // those that were looked at
  bool held_out = false;   // a split kept the training cases out
  std::string channel;
  std::string subject(const std::string& title) const;  // what was looked at, in words
};

// The oracle smoothing diagnostic on a dataset whose points are a grid.
DatasetOracle oracle_sweep(const field::Dataset& dataset, const OracleRequest& request);

}  // namespace fluidsplat::theory
