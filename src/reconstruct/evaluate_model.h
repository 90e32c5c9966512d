// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "base/shard.h"
#include "field/evaluation.h"
#include "reconstruct/disturbance.h"
#include "reconstruct/field_model.h"
#include "uncertainty/calibration.h"

namespace fluidsplat::reconstruct {

struct EvaluationRequest {
  std::vector<Index> cases;
  field::SensorLayout sensors;                 // the model's own, or others
  Disturbance disturbance;                     // of what they say
  std::optional<field::ForceSettings> forces;  // none: forces are not computed
  // Intervals of the calibrated numbers at this level, in functionals.csv; 0: none.
  double level = 0;
  std::shared_ptr<const uncertainty::Calibration> calibration;
  bool is_calibrated_data = true;  // false: other data, of which no case has calibrated, whatever its number
  std::vector<Index> mean_of;      // cases whose mean field the error is also held against; none: it is not
  std::filesystem::path out;       // folder for cases.csv and metrics.json
  field::Provenance provenance;    // goes into both
  Shard shard;                     // which of several processes that share the cases and the folder this is
};

// Measures a model of any kind on cases of a dataset and writes cases.csv and metrics.json, and functionals.csv when a
// level is asked for; `intervals` is then what that says in words.  `on_case` is given each
// result and may stop by returning false; then nothing is written and nothing returned.  Of several processes each
// leaves its part in the folder and returns nothing, but for the one that finds all parts there: see
// field::join_evaluation.
std::vector<field::CaseResult> evaluate_model(FieldModel& model, const field::Dataset& dataset,
                                              const EvaluationRequest& request,
                                              const std::function<bool(const field::CaseResult&)>& on_case = {},
                                              std::string* intervals = nullptr);

// The outcome in words: the headline, the worst case by name, what is worth knowing beside it, and what is good or bad
// about it, a line each.
std::string describe_evaluation(const std::vector<field::CaseResult>& results, const field::Schema& schema);

}  // namespace fluidsplat::reconstruct
