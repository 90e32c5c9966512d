// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "field/forces.h"
#include "io/csv.h"

namespace fluidsplat::reconstruct {

// What a series of fields says at the wall: forces over time, and the pressure along the wall.
class WallSeries {
 public:
  WallSeries(field::ForceSettings settings, field::Schema schema);
  // One instant; `on_wall` are the fields on a wall that is a set of points of its own, else empty; `reference` is the
  // free stream as far as the settings do not say it.  Throws Error when the mesh has no wall to integrate over.
  void add(double time, const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& fields,
           const field::Matrix& on_wall, const field::Reference& reference = {});

  // time, drag, lift and, where a centre is given, moment: coefficients.
  const io::Table& forces() const { return forces_; }
  // time, arclength (2-D: from the point farthest along x, as a share of the perimeter), the coordinates, cp.
  const io::Table& pressure() const { return pressure_; }

 private:
  struct Wall {
    std::shared_ptr<const field::Mesh> mesh;
    field::WallForces forces;
    std::vector<Index> order;       // the wall's points as one walks along it
    std::vector<double> arclength;  // of each in this order; empty in 3-D
  };
  const Wall& wall_of(const std::shared_ptr<const field::Mesh>& mesh);

  field::ForceSettings settings_;
  field::Schema schema_;
  std::map<const field::Mesh*, Wall> walls_;
  io::Table forces_, pressure_;
};

}  // namespace fluidsplat::reconstruct
