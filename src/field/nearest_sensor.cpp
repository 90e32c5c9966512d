// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/nearest_sensor.h"

#include <cmath>

namespace fluidsplat::field {
namespace {

std::vector<Index> sensors_reading(const SensorReadings& readings, Index channel) {
  std::vector<Index> out;
  for (Index i = 0; i < readings.values.rows(); ++i)
    if (!std::isnan(readings.values(i, channel))) out.push_back(i);
  return out;
}

// For every point the nearest of some sensors.
std::vector<Index> nearest(const Mesh& mesh, const Matrix& positions, const std::vector<Index>& sensors) {
  std::vector<Index> out(mesh.size(), sensors.front());
  Eigen::VectorXf best = (mesh.points.rowwise() - positions.row(sensors.front())).rowwise().squaredNorm();
  for (Index k = 1; k < std::ssize(sensors); ++k) {
    const Eigen::VectorXf distance = (mesh.points.rowwise() - positions.row(sensors[k])).rowwise().squaredNorm();
    for (Index p = 0; p < mesh.size(); ++p)
      if (distance[p] < best[p]) {
        best[p] = distance[p];
        out[p] = sensors[k];
      }
  }
  return out;
}

}  // namespace

std::optional<Matrix> nearest_sensor_field(const SensorReadings& readings, const Mesh& mesh) {
  Matrix out(mesh.size(), readings.values.cols());
  std::vector<Index> sensors, chosen;
  for (Index c = 0; c < out.cols(); ++c) {
    auto reading = sensors_reading(readings, c);
    if (reading.empty()) return {};
    // Mostly all sensors see the same channels.
    if (reading != sensors) {
      sensors = std::move(reading);
      chosen = nearest(mesh, readings.positions, sensors);
    }
    for (Index p = 0; p < mesh.size(); ++p) out(p, c) = readings.values(chosen[p], c);
  }
  return out;
}

}  // namespace fluidsplat::field
