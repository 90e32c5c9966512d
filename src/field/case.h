// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::field {

// One row per point, as the files store it.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXf;

struct Column {
  std::string name, unit;
  bool operator==(const Column&) const = default;
};

// What all cases of a dataset share.
struct Schema {
  std::vector<Column> coordinates, channels, features, descriptors;
  int dim() const { return int(coordinates.size()); }
  bool operator==(const Schema&) const = default;
};

// Where values live.  Frames of one simulation share a Mesh.
struct Mesh {
  Matrix points;    // [n, d]
  Matrix features;  // [n, F], no columns when the schema names none
  // When the points are cells of a regular grid (row-major, first axis slowest): its shape, and the cell of each point.
  // Cells that no point names are outside: body, land, no data.
  std::vector<Index> grid_shape, grid_cell;
  // The points on the wall and the unit normals there that point into the fluid, [surface.size(), d].
  std::vector<Index> surface;
  Matrix normals;
  // The area (length in 2-D) that each wall point stands for, or empty when unknown.
  std::vector<double> areas;

  Index size() const { return points.rows(); }
  bool is_grid() const { return !grid_shape.empty(); }
};

struct Case {
  std::string name;
  double time = 0;
  std::shared_ptr<const Mesh> mesh;
  Matrix fields;       // [n, C]
  Vector descriptors;  // [M]
};

// Throws Error unless the mesh's parts fit each other and the schema; `where` is what the message calls it.
void check_mesh(const Mesh& mesh, const Schema& schema, const std::string& where);
// The same for a case.  A value that is not finite is an error: no data is expressed by leaving the point out.
void check_case(const Case& c, const Schema& schema, const std::string& where);

}  // namespace fluidsplat::field
