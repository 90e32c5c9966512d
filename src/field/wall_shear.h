// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/forces.h"

namespace fluidsplat::field {

// Friction on a wall from the velocity next to it: for each wall point a point of the mesh along its normal is found,
// and the velocity along the wall there over the distance is the slope at the wall.  It is as good as the first layer
// of points is thin, as meshes that resolve the wall have it.
class WallShear {
 public:
  // Throws Error unless the data have velocities (u, v and in space w), the wall normals, and most of its points a
  // point of the mesh above them.
  WallShear(const Mesh& mesh, const Schema& schema, const std::string& where);

  // The sum over the wall of slope * length (area), a vector [d], from fields [points of the mesh, C].  The others have
  // no part in it: `covered` is the share of the wall that has.
  Eigen::VectorXd of(const Matrix& fields) const;
  double covered() const { return covered_; }

 private:
  struct Probe {
    Index point;  // of the mesh
    double patch_per_height;
    Eigen::VectorXd normal;
  };
  std::vector<Index> velocity_;  // channels
  std::vector<Probe> probes_;
  double covered_ = 0;
};

// Adds the friction's coefficients for a case: settings.reynolds names the descriptor that gives the viscosity.
void add_friction(ForceCoefficients& forces, const WallShear& shear, const Matrix& fields,
                  const ForceSettings& settings, const Schema& schema, const Vector& descriptors,
                  const Reference& reference, const std::string& where);

}  // namespace fluidsplat::field
