// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// What sensors say at one instant.  NaN in `values` means "this sensor says nothing of this channel".
struct SensorReadings {
  Matrix positions;  // [N, d]
  Matrix values;     // [N, C]
  Matrix usual;      // [N, C], see SensorLayout; empty when unknown
};

// Where sensors are and which channels each one sees.
struct SensorLayout {
  Matrix positions;                        // [N, d], in the dataset's units
  std::vector<std::vector<int>> channels;  // per sensor, sorted indices into the schema's channels
  std::vector<std::string> names;          // per sensor, or empty
  // What each sensor says on average over the training cases, [N, C]; empty when unknown.  A model looks at the
  // difference: a wall sensor's reading often varies far less than it differs from its neighbours'.
  Matrix usual;
  // Sensors that move with the wall: their places as fractions of its perimeter (field/wall.h), found again on every
  // mesh.  Then `positions` are those on one mesh, for pictures.
  std::vector<double> arclengths;
  // Sensors that are drawn anew on every mesh, as many as there are positions.
  struct Redraw {
    std::uint64_t seed = 0;
    bool on_wall = false;
  };
  std::optional<Redraw> redraw;

  Index size() const { return positions.rows(); }

  // A layout with every sensor on a mesh point: the nearest one, or what `arclengths` or `redraw` say. Throws Error
  // when a sensor is farther than `tolerance` (or than the points there are from each other) from every point: it is
  // outside the domain or on no data.
  struct Snapped;
  Snapped snap(const Mesh& mesh, double tolerance) const;
};

struct SensorLayout::Snapped {
  SensorLayout layout;
  std::vector<Index> points;  // the mesh point of each sensor
};

// Every sensor sees every one of `channels`.
SensorLayout make_layout(Matrix positions, const std::vector<int>& channels);
// Sensors on given cells (one index per axis, in the grid's axis order: row, column) of a grid mesh.
SensorLayout layout_from_cells(const Mesh& mesh, const std::vector<std::vector<Index>>& cells,
                               const std::vector<int>& channels, const std::string& where);
// N different mesh points drawn with a seed, from all or from the wall.
SensorLayout random_layout(const Mesh& mesh, int count, std::uint64_t seed, const std::vector<int>& channels,
                           bool on_wall = false);
// Places drawn with a seed that have data on every mesh of a dataset.
SensorLayout random_layout(const Dataset& dataset, int count, std::uint64_t seed, const std::vector<int>& channels);
// Sensors at fractions (0 to 1) of the wall's perimeter.
SensorLayout wall_layout(const Mesh& mesh, const std::vector<double>& arclengths, const std::vector<int>& channels);

// The readings a case gives at mesh points.
SensorReadings read_sensors(const Case& c, const SensorLayout& layout, const std::vector<Index>& points);

// About one mesh spacing.
double typical_spacing(const Mesh& mesh);
// The tolerance to snap with: a sensor on a wall may lie a cell away from the nearest cell of fluid.
inline double snap_tolerance(const Mesh& mesh) {
  return 1.5 * typical_spacing(mesh);
}

nlohmann::json to_json(const SensorLayout& layout);
SensorLayout layout_from_json(const nlohmann::json& json, const Schema& schema, const std::string& where);

}  // namespace fluidsplat::field
