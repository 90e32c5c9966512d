// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/dataset.h"
#include "field/point_source.h"
#include "model/sensor_layout.h"

namespace fluidsplat::field {

using model::SensorLayout;

// What sensors say at one instant.  NaN in `values` means "this sensor says nothing of this channel".
struct SensorReadings {
  Matrix positions;  // [N, d]
  Matrix values;     // [N, C]
  Matrix mean;       // [N, C], see SensorLayout::mean_readings; empty when unknown
};

// A layout with every sensor on a point of the mesh or of its wall.
struct PlacedSensors {
  SensorLayout layout;
  std::vector<Index> points;  // the place (Mesh::position, Case::values) of each sensor
};
// On the nearest point, or where `arclengths` or `redraw` say.  Throws Error when a sensor is farther than `tolerance`
// (or than the points there are from each other) from every point: it is outside the domain or on no data.
PlacedSensors place(const SensorLayout& layout, const PointSource& mesh, double tolerance);
// The places that a layout without places of its own draws with another seed.
std::vector<Index> redraw(const SensorLayout& layout, const PointSource& mesh, std::uint64_t seed);

// Every sensor sees every one of `channels`.
SensorLayout make_layout(Matrix positions, const std::vector<int>& channels);
// Sensors on given cells (one index per axis, in the grid's axis order: row, column) of a grid mesh.
SensorLayout layout_from_cells(const PointSource& mesh, const std::vector<std::vector<Index>>& cells,
                               const std::vector<int>& channels, const std::string& where);
// N different mesh points drawn with a seed, from all or from the wall.
SensorLayout random_layout(const Mesh& mesh, int count, std::uint64_t seed, const std::vector<int>& channels,
                           bool on_wall = false);
// Places drawn with a seed that have data on every mesh of a dataset.
SensorLayout random_layout(const Dataset& dataset, int count, std::uint64_t seed, const std::vector<int>& channels);
// Sensors at fractions (0 to 1) of the wall's perimeter.
SensorLayout wall_layout(const Mesh& mesh, const std::vector<double>& arclengths, const std::vector<int>& channels);

// The readings a case gives.
SensorReadings read_sensors(const Case& c, const PlacedSensors& sensors);
// The same, of its values [N, C] at the sensors' places.
SensorReadings read_sensors(const Matrix& values, const SensorLayout& layout);

// About one mesh spacing.
double typical_spacing(const PointSource& mesh);
// The tolerance to snap with: a sensor on a wall may lie a cell away from the nearest cell of fluid.
inline double snap_tolerance(const PointSource& mesh) {
  return 1.5 * typical_spacing(mesh);
}

}  // namespace fluidsplat::field
