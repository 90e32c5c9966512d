// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/index.h"
#include "model/matrix.h"
#include "model/schema.h"

namespace fluidsplat::field {

using model::Column;
using model::Matrix;
using model::Schema;
using Vector = Eigen::VectorXf;

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
  // Instead of these three: a wall whose points are a set of their own, with features and fields (Case::wall_fields) of
  // their own.  It is a mesh whose points are all on the wall; make_wall() makes it.  SurfaceView hides the difference.
  std::shared_ptr<const Mesh> wall;

  Index size() const { return points.rows(); }
  bool is_grid() const { return !grid_shape.empty(); }
  // A place is a number in one list of all points: first `points`, then those of a separate wall.
  Index places() const { return size() + (wall ? wall->size() : 0); }
  auto position(Index place) const { return place < size() ? points.row(place) : wall->points.row(place - size()); }
  auto features_at(Index place) const {
    return place < size() ? features.row(place) : wall->features.row(place - size());
  }
};

// A separate wall.  Normals and areas may be empty; features have no columns when the schema names none.
std::shared_ptr<const Mesh> make_wall(Matrix points, Matrix features, Matrix normals, std::vector<double> areas);

// What the forces of a case are referred to: its free stream, as far as it is known.
struct Reference {
  double speed = 0, density = 0;  // 0: unknown
  std::vector<double> direction;  // [d], of any length; empty: unknown
  bool operator==(const Reference&) const = default;
};

struct Case {
  std::string name;
  double time = 0;
  std::shared_ptr<const Mesh> mesh;
  Matrix fields;       // [n, C]
  Matrix wall_fields;  // [wall points, C] when the mesh has a separate wall, else empty
  Vector descriptors;  // [M]
  Reference reference;

  // All channels at one of the mesh's places.
  auto values(Index place) const {
    return place < fields.rows() ? fields.row(place) : wall_fields.row(place - fields.rows());
  }
};

// Throws Error unless the mesh's parts fit each other and the schema; `where` is what the message calls it.
void check_mesh(const Mesh& mesh, const Schema& schema, const std::string& where);
// The same for a case.  A value that is not finite is an error: no data is expressed by leaving the point out.
void check_case(const Case& c, const Schema& schema, const std::string& where);

}  // namespace fluidsplat::field
