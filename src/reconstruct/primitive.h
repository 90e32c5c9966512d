// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "field/case.h"
#include "io/csv.h"
#include "io/vtk.h"

namespace fluidsplat::reconstruct {

// A Gaussian of the scaffold in the data's coordinates and units.
struct Primitive {
  Eigen::VectorXd centre;     // [d]
  Eigen::MatrixXd axes;       // [d, d], rows: one-sigma semi-axes, the longest first
  double weight = 0;          // in (0, 1)
  Eigen::VectorXd amplitude;  // [C], physical units
  double strength = 0;        // how far the amplitude is from the mean field, in spreads of the field
};

// Largest weight times area (volume) times strength first: the ones that carry most of the picture.
void sort_by_importance(std::vector<Primitive>& primitives);

// One row per primitive: centre, axis lengths, direction of the axes, weight, amplitudes.
io::Table to_table(const std::vector<Primitive>& primitives, const field::Schema& schema);

// One-sigma ellipses (2-D: polygons) or ellipsoids (3-D: triangles) with weight and amplitudes as cell data.
io::VtkMesh to_glyphs(const std::vector<Primitive>& primitives, const field::Schema& schema);

}  // namespace fluidsplat::reconstruct
