// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "calibrate/coverage.h"
#include "calibrate/error_parts.h"
#include "calibrate/learn_scale.h"
#include "field/split.h"

namespace fluidsplat::calibrate {

struct CalibrationRequest {
  std::vector<Index> cases;  // that neither trained nor chose the checkpoint
  // Others, which say where the model errs how much and are never calibrated on.  Few validation cases are not asked.
  std::vector<Index> validation_cases, train_cases;
  std::vector<uncertainty::Functional> functionals;
  std::optional<ScaleRecipe> scale;  // of the bands; none: the one that is narrowest for validation cases
  Index levels = 3;                  // classes of places: see learn_classes; 0: one threshold for all places
  double share = 0.5;                // of the cases; the rest is left to judge by
  double noise = 0;                  // of readings, as a share of how much they vary in training
  Index block = 0;           // cases in a row that count once; 0: found from a time series, 1 where there is none
  Index splits = 0;          // random splits to measure coverage over; 0: it is not
  double split_share = 0.5;  // of the groups that each split calibrates on
  bool with_rivals = false;  // over these splits, also a band of one width and a Gaussian process' posterior
  Index points = 2000;       // of each case, drawn at random
  std::uint64_t seed = 1;
  std::string data;                 // what the dataset is called
  std::optional<ErrorParts> parts;  // of several processes that share the cases; none: all by itself
};

struct CalibrationHooks {
  // What is going on, how far it is.
  std::function<void(const char* what, Index done, Index total)> progress = {};
  std::function<bool()> interrupted = {};
};

// Bands that are made another way, from the same errors or after the same calibration, and no silent sensor.
struct Rival {
  std::string name;
  double error = 1;                // its root mean square error, of the model's
  std::vector<CoverageRow> table;  // widths are in root mean square errors of the model
};

struct CalibrationResult {
  uncertainty::Calibration calibration;
  ScaleRecipe scale;               // that was taken
  std::vector<Index> left;         // cases that were left to judge by
  Index groups = 0;                // of all unseen cases
  std::vector<CoverageRow> table;  // over random splits, if asked for
  std::vector<Rival> rivals;       // beside it
  bool has_posterior = false;      // among them
};

// Test cases that neither trained nor chose the checkpoint are calibrated on, the others say where the model errs.
void choose_cases(CalibrationRequest& request, const field::Split& split);

// Measures how wrong a model of any kind is on cases that it has not seen.  Empty when interrupted, and when other
// parts are not done yet; the process that is done last has the whole result, the same bits as one by itself.
std::optional<CalibrationResult> calibrate_model(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                                 const CalibrationRequest& request, const CalibrationHooks& hooks = {});

// Writes a calibration into a model file, in place of one that it has.
void store_calibration(const std::filesystem::path& model, const uncertainty::Calibration& calibration);

// The numbers of silent sensors to calibrate: up to half of them, all when these are few.
std::vector<Index> silent_ladder(Index sensors);

}  // namespace fluidsplat::calibrate
