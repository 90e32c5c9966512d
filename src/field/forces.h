// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/config.h"
#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// What a force needs to know that a field does not say.  Nothing here has a default that could be right by accident:
// check() asks for all of it.
struct ForceSettings {
  std::string channel;                 // the pressure's name
  std::string kind;                    // absolute, gauge, kinematic (p / density) or coefficient (already divided)
  double reference_pressure = 0;       // subtracted from an absolute one
  double density = 0, velocity = 0;    // of the free stream
  double length = 0;                   // reference length in 2-D, reference area in 3-D
  double chord = 0;                    // reference length of the moment; 0: `length`, in 2-D only
  std::vector<double> drag_direction;  // of the free stream
  std::vector<double> lift_direction;
  std::vector<double> moment_centre;  // about which the moment is taken; needed for the moment

  void bind(Config& config);
  // Throws Error, naming the setting, unless everything is there and fits the dataset.
  void check(const Schema& schema) const;
};

// Coefficients of the pressure's part of the force: force / (q length), moment / (q length chord), where q = density
// velocity^2 / 2.  Friction is not in them.
struct ForceCoefficients {
  double drag = 0, lift = 0;
  std::optional<double> moment;  // in 2-D, counterclockwise positive
};

// The pressure integrated over a mesh's wall.
class WallForces {
 public:
  // Throws Error when the mesh has no wall with normals, or, in 3-D, no areas.
  WallForces(const ForceSettings& settings, const Schema& schema, const Mesh& mesh, const std::string& where);
  ForceCoefficients of(const Mesh& mesh, const Matrix& fields) const;

 private:
  ForceSettings settings_;
  Index channel_;
  std::vector<double> patch_;  // length or area that each surface point stands for
};

}  // namespace fluidsplat::field
