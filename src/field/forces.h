// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/config.h"
#include "base/index.h"
#include "field/surface_view.h"

namespace fluidsplat::field {

// What a force needs to know that a field does not say.  Nothing here has a default that could be right by accident:
// what neither the settings nor the data say is an Error.
struct ForceSettings {
  std::string channel;                 // the pressure's name
  std::string kind;                    // absolute, gauge, kinematic (p / density) or coefficient (already divided)
  double reference_pressure = 0;       // subtracted from an absolute one
  double density = 0, velocity = 0;    // of the free stream; 0: each case's own (Case::reference)
  double length = 0;                   // reference length in 2-D, reference area in 3-D
  double chord = 0;                    // reference length of the moment; 0: `length`, in 2-D only
  std::vector<double> drag_direction;  // of the free stream; empty: each case's own
  // Made perpendicular to a drag direction that is the case's own.  Empty in 2-D: a quarter turn to the left of the
  // drag.
  std::vector<double> lift_direction;
  std::vector<double> moment_centre;  // about which the moment is taken; needed for the moment
  // The descriptor that is the Reynolds number of `length`; friction (wall_shear.h) is computed when it is named.
  std::string reynolds;

  void bind(Config& config);
  // Throws Error, naming the setting, unless what is said fits the dataset, and what no case can say is said.
  void check(const Schema& schema) const;
  // Which descriptor `reynolds` is.
  Index reynolds_index(const Schema& schema) const;
  // Complete for a case with this reference; what neither says is an Error that names the setting and `where`.
  ForceSettings with(const Reference& reference, const std::string& where) const;
};

// Coefficients of the pressure's part of the force: force / (q length), moment / (q length chord), where q = density
// velocity^2 / 2.  Friction is apart from them.
struct ForceCoefficients {
  double drag = 0, lift = 0;
  std::optional<double> moment;  // in 2-D, counterclockwise positive
  std::optional<double> friction_drag, friction_lift;
};

// The pressure integrated over a wall.
class WallForces {
 public:
  // Throws Error when the wall is empty or has no normals, or, in 3-D, no areas.
  WallForces(const ForceSettings& settings, const Schema& schema, const SurfaceView& wall, const std::string& where);
  // From the fields [wall points, C] of a case on this wall (SurfaceView::fields).
  ForceCoefficients of(const SurfaceView& wall, const Matrix& wall_fields, const Reference& reference = {}) const;
  // The pressure coefficient at each point of the wall, from the same.
  std::vector<double> pressure(const Matrix& wall_fields, const Reference& reference = {}) const;

 private:
  ForceSettings settings_;
  std::string where_;
  Index channel_;
  std::vector<double> patch_;  // length or area that each wall point stands for
};

}  // namespace fluidsplat::field
