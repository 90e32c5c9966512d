// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibrate/calibrate_model.h"
#include "uncertainty/fault.h"

namespace fluidsplat::calibrate {

struct FaultRequest {
  std::vector<Index> cases;        // that neither trained nor calibrated, in order of time
  std::vector<Index> train_cases;  // say how much readings vary
  std::shared_ptr<const uncertainty::Calibration> calibration;
  Index rows = 60;    // of each series
  Index trials = 20;  // series for each kind and size
  Index judged = 2;   // rows of each whose field is reconstructed and compared
  double false_alarms = 0.01;
  std::uint64_t seed = 1;
};

// What came of one kind of fault at one size.  All are shares of trials unless they say otherwise.
struct FaultRow {
  uncertainty::SensorState kind = uncertainty::SensorState::fine;  // fine: no fault, for false alarms
  double size = 0;
  Index trials = 0;
  double found = 0;        // the sensor was found wrong in the series
  double found_rows = 0;   // share of the rows in which the fault acts that it was ignored in
  double named = 0;        // and its kind is right
  double blamed = 0;       // a sound sensor was found wrong in the series, too
  double blamed_rows = 0;  // share of rows in which a sound sensor was ignored
  // Mean relative L2 error of the field: what was found is ignored, everything is believed, the oracle ignores the
  // wrong sensor and no other.
  double handled = 0, believed = 0, oracle = 0;
};

// Puts every kind of fault at several sizes into series of readings that the model has not seen, one sensor at a time
// (two that are swapped), and looks what is found.  Empty when interrupted.
std::vector<FaultRow> try_faults(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                 const FaultRequest& request, const CalibrationHooks& hooks = {});
std::string faults_csv(const std::vector<FaultRow>& rows);

}  // namespace fluidsplat::calibrate
