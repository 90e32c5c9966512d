// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "field/forces.h"
#include "field/wall_shear.h"
#include "uncertainty/calibration.h"

namespace fluidsplat::reconstruct {

// Numbers made of a field that a calibration gives intervals to.  What each is, its definition says, as JSON:
//
//   {"kind": "force", "which": "drag", "settings": {...}}        a coefficient; friction_drag and such are apart
//   {"kind": "probe", "channel": "u", "place": [x, y]}           at the mesh point nearest to a place
//   {"kind": "box", "channel": "u", "low": [...], "high": [...]}  mean over the mesh points in a box
std::vector<uncertainty::Functional> force_functionals(const field::ForceSettings& settings);
// "name=channel@x,y[,z]" and "name=channel@x,y[,z]:x,y[,z]".  Throws Error for what is not so.
uncertainty::Functional parse_probe(const std::string& text, const field::Schema& schema);
uncertainty::Functional parse_box(const std::string& text, const field::Schema& schema);

// Computes them.  One thread at a time.
class Functionals {
 public:
  // Throws Error, naming `where`, for a definition that cannot be understood.
  Functionals(std::vector<uncertainty::Functional> list, field::Schema schema, std::string where);
  const std::vector<uncertainty::Functional>& list() const { return list_; }

  // Of the fields on a mesh and on its separate wall, if it has one; NaN for what this mesh does not have, as a plain
  // grid has no wall, and for forces whose free stream neither the definition nor the reference says.
  std::vector<double> of(const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& fields,
                         const field::Matrix& on_wall, const field::Vector& descriptors = {},
                         const field::Reference& reference = {});

 private:
  struct Force {
    std::string which;
    field::ForceSettings settings;
  };
  struct Average {
    Index channel;
    std::vector<double> low, high;  // equal: a probe
  };
  struct Item {
    bool is_force;
    Force force;
    Average average;
  };
  // What was found on a mesh.
  struct Found {
    std::shared_ptr<const field::Mesh> mesh;
    std::vector<std::vector<Index>> points;  // per item: that are averaged over
    std::unique_ptr<field::WallForces> forces;
    std::unique_ptr<field::WallShear> shear;
  };
  Found& on(const std::shared_ptr<const field::Mesh>& mesh);

  std::vector<uncertainty::Functional> list_;
  field::Schema schema_;
  std::string where_;
  std::vector<Item> items_;
  Found found_;  // the last mesh's
};

}  // namespace fluidsplat::reconstruct
