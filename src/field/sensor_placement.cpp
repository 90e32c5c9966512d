// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/sensor_placement.h"

#include <algorithm>

#include "base/error.h"

namespace fluidsplat::field {

SensorPlacement::SensorPlacement(SensorLayout layout, const Dataset& dataset) : layout_(std::move(layout)) {
  for (Index m = 0; m < dataset.mesh_count(); ++m) {
    const PointSource mesh(dataset, m);
    try {
      placed_.push_back(place(layout_, mesh, snap_tolerance(mesh)));
    } catch (const Error& e) {
      if (dataset.mesh_count() == 1) throw;
      fail("{}, mesh {}: {}", dataset.name(), m, e.what());
    }
  }
  for (Index i = 0; i < dataset.size(); ++i) group_of_.push_back(dataset.mesh_of(i));
}

SensorPlacement::SensorPlacement(std::vector<SensorLayout> per_case, const Dataset& dataset) : per_case_(true) {
  if (std::ssize(per_case) != dataset.size())
    fail("{}: sensors for {} of {} cases", dataset.name(), per_case.size(), dataset.size());
  for (Index i = 0; i < dataset.size(); ++i) {
    const PointSource mesh(dataset, dataset.mesh_of(i));
    try {
      placed_.push_back(place(per_case[i], mesh, snap_tolerance(mesh)));
    } catch (const Error& e) {
      fail("{}, case {}: {}", dataset.name(), i, e.what());
    }
    group_of_.push_back(i);
  }
  if (!per_case.empty()) layout_ = std::move(per_case.front());
}

std::vector<Index> SensorPlacement::draw(Index case_index, const PointSource& mesh, Random& random) const {
  const auto& fixed = of(case_index);
  return fixed.layout.redraw ? redraw(fixed.layout, mesh, random.bits()) : fixed.points;
}

SensorReadings SensorPlacement::read(const Case& c, Index case_index) const {
  return read_sensors(c, of(case_index));
}

SensorReadings SensorPlacement::read(const Dataset& dataset, Index case_index) const {
  const auto& placed = of(case_index);
  return read_sensors(dataset.values_at(case_index, placed.points), placed.layout);
}

Index SensorPlacement::largest() const {
  Index most = 0;
  for (const auto& p : placed_) most = std::max(most, p.layout.size());
  return most;
}

Scaling SensorPlacement::learn_means(const Dataset& dataset, const std::vector<Index>& cases, const Scaling& fallback) {
  std::vector<Matrix> readings;
  for (auto index : cases) readings.push_back(read(dataset, index).values);
  if (layout_.redraw || per_case_) {
    // A sensor has no place of its own: what it says on average is what sensors say on average.
    std::vector<Matrix> each;
    for (const auto& r : readings)
      for (Index i = 0; i < r.rows(); ++i) each.push_back(r.row(i));
    return fit_readings(each, fallback).scaling;
  }
  const auto statistics = fit_readings(readings, fallback);
  layout_.mean_readings = statistics.mean_readings;
  for (auto& placed : placed_) placed.layout.mean_readings = statistics.mean_readings;
  return statistics.scaling;
}

}  // namespace fluidsplat::field
