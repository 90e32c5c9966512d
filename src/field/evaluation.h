// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "base/index.h"
#include "field/forces.h"
#include "field/mean_field.h"
#include "field/metrics.h"
#include "field/provenance.h"
#include "field/sensor_placement.h"

namespace fluidsplat::field {

struct CaseResult {
  Index index = 0;
  std::string name;
  double time = 0;
  CaseError error;
  double sensor_consistency = 0;
  std::optional<CaseError> surface;    // on the wall, where there is one
  std::optional<CaseError> deviation;  // relative to the deviation from a mean field, where one is given
  std::optional<double> mean_field;    // the relative L2 error of that mean field
  // The same of what the nearest sensor says (nearest_sensor.h), where every channel is read by some sensor.
  std::optional<double> nearest_sensor;
  std::optional<ForceCoefficients> true_force, predicted_force;
};

// Any model: the fields [n, C] at the points of a mesh, which is a case's or its separate wall, from what the case's
// sensors say and what else is known of it: descriptors and free stream.  A model that looks at the shape of the wall
// finds it as SurfaceView(*mesh) in both.
using Predict =
    std::function<Matrix(const SensorReadings& readings, const Case& c, const std::shared_ptr<const Mesh>& mesh)>;

struct EvaluationOptions {
  std::optional<ForceSettings> forces = {};
  const MeanField* mean = nullptr;  // for CaseResult::deviation
  // Is given each result, and may stop the evaluation by returning false.
  std::function<bool(const CaseResult&)> on_case = {};
};

// Reconstructs each case from its own sensor readings and compares.
std::vector<CaseResult> evaluate(const Predict& predict, const SensorPlacement& sensors, const Dataset& dataset,
                                 const std::vector<Index>& cases, const EvaluationOptions& options = {});

ErrorSummary summarize(const std::vector<CaseResult>& results);
// What the mean field errs by on the same cases, as summarize() does; nothing when none was given.
std::optional<double> mean_field_error(const std::vector<CaseResult>& results);
// What the nearest sensors' readings err by; nothing when a channel is read by none.
std::optional<double> nearest_sensor_error(const std::vector<CaseResult>& results);

// One row per case, under comment lines that tell where the numbers come from.
std::string cases_csv(const std::vector<CaseResult>& results, const Schema& schema, const Provenance& provenance);
// Means, the worst cases by name, the wall, forces, and where the numbers come from.
std::string metrics_json(const std::vector<CaseResult>& results, const Schema& schema, const Provenance& provenance);

}  // namespace fluidsplat::field
