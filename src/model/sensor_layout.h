// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "model/matrix.h"

namespace fluidsplat::model {

// Where sensors are and which channels each one sees.
struct SensorLayout {
  Matrix positions;                        // [N, d], in the data's units
  std::vector<std::vector<int>> channels;  // per sensor, sorted indices into the schema's channels
  std::vector<std::string> names;          // per sensor, or empty
  // What each sensor says on average over the training cases, [N, C]; empty when unknown.  A model looks at the
  // difference: a wall sensor's reading often varies far less than it differs from its neighbours'.
  Matrix mean_readings;
  // Sensors that move with the wall: their places as fractions of its perimeter, found again on every mesh.  Then
  // `positions` are those on one mesh, for pictures.
  std::vector<double> arclengths;
  // Sensors that have no place of their own and are drawn anew, as many as there are positions.
  struct Redraw {
    std::uint64_t seed = 0;
    bool on_wall = false;
    bool torch = false;  // the first of torch.manual_seed(seed); torch.randperm(points), as published protocols draw
  };
  std::optional<Redraw> redraw;

  Index size() const { return positions.rows(); }
  // "sensor 3", or "sensor 3 "nose"" when it has a name.
  std::string label(Index sensor) const;
};

// Throws Error unless the parts fit each other and the model: one channel list per sensor, channels that exist, finite
// numbers, fractions between 0 and 1.
void check_layout(const SensorLayout& layout, Index dim, Index channels, const std::string& where);

nlohmann::json to_json(const SensorLayout& layout);
// Checked; what is wrong is an Error that names `where` and the entry.
SensorLayout layout_from_json(const nlohmann::json& json, Index dim, Index channels, const std::string& where);

}  // namespace fluidsplat::model
