// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "calibrate/coverage.h"
#include "field/split.h"

namespace fluidsplat::calibrate {

// The local scale that makes bands narrow where the model is good.
enum class ScaleKind {
  constant,  // the same everywhere
  place,     // by place
  distance,  // by place, times a factor that grows with the distance of the readings from those of training
};

struct CalibrationRequest {
  std::vector<Index> cases;        // that neither trained nor chose the checkpoint
  std::vector<Index> scale_cases;  // others, which say where the model errs how much; never calibrated on
  std::vector<Index> train_cases;  // what readings of training are
  std::vector<uncertainty::Functional> functionals;
  ScaleKind scale = ScaleKind::place;
  double share = 0.5;   // of the cases; the rest is left to judge by
  double noise = 0;     // of readings, as a share of how much they vary in training
  Index block = 0;      // cases in a row that count once; 0: found from a time series, 1 where there is none
  Index splits = 0;     // random splits to measure coverage over; 0: it is not
  Index points = 2000;  // of each case, drawn at random
  std::uint64_t seed = 1;
  std::string data;  // what the dataset is called
};

struct CalibrationHooks {
  // What is going on, how far it is.
  std::function<void(const char* what, Index done, Index total)> progress = {};
  std::function<bool()> interrupted = {};
};

struct CalibrationResult {
  uncertainty::Calibration calibration;
  std::vector<Index> left;         // cases that were left to judge by
  std::vector<CoverageRow> table;  // over random splits, if asked for
};

// Measures how wrong a model of any kind is on cases that it has not seen.  Empty when interrupted.
std::optional<CalibrationResult> calibrate_model(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                                 const CalibrationRequest& request, const CalibrationHooks& hooks = {});

// Writes a calibration into a model file, in place of one that it has.
void store_calibration(const std::filesystem::path& model, const uncertainty::Calibration& calibration);

// The numbers of silent sensors to calibrate: up to half of them, all when these are few.
std::vector<Index> silent_ladder(Index sensors);

}  // namespace fluidsplat::calibrate
