// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/evaluation.h"

#include <map>

#include "base/error.h"
#include "field/nearest_sensor.h"
#include "field/wall_shear.h"

namespace fluidsplat::field {
namespace {

std::string case_label(const Dataset& dataset, Index index) {
  const auto& name = dataset.case_name(index);
  return fmt::format("{}, case {}{}", dataset.name(), index, name.empty() ? "" : fmt::format(" \"{}\"", name));
}

// The case as a model sees it: what Predict gives on the mesh and on a separate wall.
Case predicted_case(const Predict& predict, const Case& truth, const SensorReadings& readings) {
  Case out;
  out.mesh = truth.mesh;
  out.fields = predict(readings, truth, truth.mesh);
  if (truth.mesh->wall) out.wall_fields = predict(readings, truth, truth.mesh->wall);
  return out;
}

}  // namespace

std::vector<CaseResult> evaluate(const Predict& predict, const SensorPlacement& sensors, const Dataset& dataset,
                                 const std::vector<Index>& cases, const EvaluationOptions& options) {
  // What is missing for the forces of any case is told before the first is reconstructed.
  if (options.forces) {
    options.forces->check(dataset.schema());
    for (auto index : cases) options.forces->with(dataset.reference(index), case_label(dataset, index));
  }
  std::vector<CaseResult> results;
  std::map<Index, WallForces> walls;
  std::map<Index, WallShear> shears;
  for (auto index : cases) {
    const auto c = dataset.load(index);
    const auto m = dataset.mesh_of(index);
    const auto readings = sensors.read(c, index);
    const auto prediction = predicted_case(predict, c, readings);
    Matrix at_sensors(readings.values.rows(), readings.values.cols());
    for (Index i = 0; i < at_sensors.rows(); ++i) at_sensors.row(i) = prediction.values(sensors.of(index).points[i]);
    CaseResult r;
    r.index = index;
    r.name = c.name;
    r.time = c.time;
    r.error = compare(prediction.fields, c.fields);
    r.sensor_consistency = sensor_consistency(at_sensors, readings);
    if (options.mean) {
      const auto mean = options.mean->on(m, *c.mesh);
      r.deviation = compare_deviation(prediction.fields, c.fields, mean);
      r.mean_field = compare(mean, c.fields).relative_l2;
    }
    if (const auto nearest = nearest_sensor_field(readings, *c.mesh))
      r.nearest_sensor = compare(*nearest, c.fields).relative_l2;
    const SurfaceView wall(*c.mesh);
    if (!wall.empty()) r.surface = compare_surface(wall.fields(prediction), c);
    if (options.forces) {
      const auto where = fmt::format("{}, mesh {}", dataset.name(), m);
      const auto& forces = walls.try_emplace(m, *options.forces, dataset.schema(), wall, where).first->second;
      r.true_force = forces.of(wall, wall.fields(c), c.reference);
      r.predicted_force = forces.of(wall, wall.fields(prediction), c.reference);
      if (!options.forces->reynolds.empty()) {
        const auto& shear = shears.try_emplace(m, *c.mesh, dataset.schema(), where).first->second;
        for (auto [force, fields] : {std::pair{&r.true_force, &c.fields}, {&r.predicted_force, &prediction.fields}})
          add_friction(**force, shear, *fields, *options.forces, dataset.schema(), c.descriptors, c.reference,
                       case_label(dataset, index));
      }
    }
    results.push_back(std::move(r));
    if (options.on_case && !options.on_case(results.back())) break;
  }
  return results;
}

namespace {

std::optional<double> mean_of(const std::vector<CaseResult>& results, std::optional<double> CaseResult::*which) {
  double sum = 0;
  for (const auto& r : results) {
    if (!(r.*which)) return {};
    sum += *(r.*which) / double(results.size());
  }
  return sum;
}

}  // namespace

std::optional<double> mean_field_error(const std::vector<CaseResult>& results) {
  return mean_of(results, &CaseResult::mean_field);
}

std::optional<double> nearest_sensor_error(const std::vector<CaseResult>& results) {
  return mean_of(results, &CaseResult::nearest_sensor);
}

ErrorSummary summarize(const std::vector<CaseResult>& results) {
  std::vector<CaseError> errors;
  std::vector<double> consistency;
  for (const auto& r : results) {
    errors.push_back(r.error);
    consistency.push_back(r.sensor_consistency);
  }
  return summarize(errors, consistency);
}

}  // namespace fluidsplat::field
