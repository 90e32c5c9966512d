// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "base/index.h"
#include "field/forces.h"
#include "field/metrics.h"
#include "field/sensor_plan.h"

namespace fluidsplat::field {

struct CaseResult {
  Index index = 0;
  std::string name;
  double time = 0;
  CaseError error;
  double sensor_consistency = 0;
  std::optional<ForceCoefficients> true_force, predicted_force;
};

// Any model: fields [n, C] of a case's mesh from what its sensors say.
using Predict = std::function<Matrix(const Case& c, const SensorReadings& readings)>;

// Reconstructs each case from its own sensor readings and compares.  Each result is also given to `on_case`, which may
// stop the evaluation by returning false.
std::vector<CaseResult> evaluate(const Predict& predict, const SensorPlan& sensors, const Dataset& dataset,
                                 const std::vector<Index>& cases, const std::optional<ForceSettings>& forces = {},
                                 const std::function<bool(const CaseResult&)>& on_case = {});

ErrorSummary summarize(const std::vector<CaseResult>& results);

// One row per case.
std::string cases_csv(const std::vector<CaseResult>& results, const Schema& schema);
// Means, the worst cases by name, and forces.
std::string metrics_json(const std::vector<CaseResult>& results, const Schema& schema);

}  // namespace fluidsplat::field
