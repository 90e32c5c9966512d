// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "field/dataset.h"
#include "reconstruct/disturbance.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::reconstruct {

// Circumstances under which methods are compared: as the readings are, with noise, with sensors that say nothing.
struct Condition {
  std::string name;
  Disturbance disturbance;
};
// Clean, 1 and 5 % noise, one and two dead sensors, as far as `sensors` allow.
std::vector<Condition> usual_conditions(Index sensors);

// The mean relative L2 error over cases, and the worst.
struct Errors {
  double mean = 0, worst = 0;
};
// Of a model with its own sensors; nothing when `go_on` returned false before a case.
std::optional<Errors> judge(FieldModel& model, const field::Dataset& dataset, const std::vector<Index>& cases,
                            const Disturbance& disturbance, const std::function<bool()>& go_on = {});
// What one answer on the whole mesh of a case takes: the median of a few.
double seconds_to_answer(FieldModel& model, const field::Dataset& dataset, Index case_index);

// The name of the method that every other must beat.
inline constexpr const char* kTrainingMean = "training mean";

// How one method did.
struct MethodResult {
  std::string name;
  bool is_trained = false;  // by gradient; else fitted in closed form
  double seconds_to_fit = 0, seconds_to_answer = 0;
  Index parameters = 0;             // that are trained
  std::vector<Errors> errors = {};  // by condition
  std::string trouble = {};         // why it could not be judged; then there are no errors
};

struct Comparison {
  std::string data;
  Index cases = 0, training_cases = 0, sensors = 0;
  std::vector<Condition> conditions;
  std::vector<MethodResult> methods;

  // The method with the least error under a condition, among all or those of one sort; null when there is none.
  const MethodResult* best(Index condition) const;
  const MethodResult* best(Index condition, bool is_trained) const;
};

// The table in plain text, and as CSV.
std::string comparison_table(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
// Which method to use on these data, and why.
std::string recommend(const Comparison& comparison);

}  // namespace fluidsplat::reconstruct
