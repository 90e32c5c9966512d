// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_plan.h"

#include "base/error.h"

namespace fluidsplat::field {

SensorPlan::SensorPlan(SensorLayout layout, const Dataset& dataset) : layout_(std::move(layout)) {
  for (Index m = 0; m < dataset.mesh_count(); ++m) {
    const auto mesh = dataset.mesh(m);
    try {
      on_mesh_.push_back(layout_.snap(*mesh, snap_tolerance(*mesh)));
    } catch (const Error& e) {
      if (dataset.mesh_count() == 1) throw;
      fail("{}, mesh {}: {}", dataset.name(), m, e.what());
    }
  }
}

SensorReadings SensorPlan::read(const Case& c, Index mesh) const {
  const auto& snapped = on_mesh_[mesh];
  return read_sensors(c, snapped.layout, snapped.points);
}

const std::vector<Index>& SensorPlan::points(Index mesh) const {
  return on_mesh_[mesh].points;
}

Scaling SensorPlan::learn_usual(const Dataset& dataset, const std::vector<Index>& cases, const Scaling& fallback) {
  std::vector<Matrix> readings;
  for (auto index : cases) readings.push_back(read(dataset.load(index), dataset.mesh_of(index)).values);
  if (layout_.redraw) {
    // A sensor has no place of its own: what it usually says is what sensors usually say.
    std::vector<Matrix> each;
    for (const auto& r : readings)
      for (Index i = 0; i < r.rows(); ++i) each.push_back(r.row(i));
    return fit_readings(each, fallback).scaling;
  }
  const auto statistics = fit_readings(readings, fallback);
  layout_.usual = statistics.usual;
  for (auto& snapped : on_mesh_) snapped.layout.usual = statistics.usual;
  return statistics.scaling;
}

}  // namespace fluidsplat::field
