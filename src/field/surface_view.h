// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::field {

// The wall of a mesh, whether its points are some of the mesh's (Mesh::surface) or a set of their own (Mesh::wall).
// Points of the wall are numbered from 0.  A view: the mesh must outlive it.
class SurfaceView {
 public:
  // Not explicit: what works on walls can be given a mesh.
  SurfaceView(const Mesh& mesh)
      : points_(mesh.wall ? *mesh.wall : mesh), mesh_points_(mesh.size()), separate_(mesh.wall != nullptr) {}

  Index size() const { return std::ssize(points_.surface); }
  bool empty() const { return points_.surface.empty(); }
  bool is_separate() const { return separate_; }
  Index dim() const { return points_.points.cols(); }
  // Which of the mesh's places (Mesh::position) a wall point is.
  Index place(Index s) const { return points_.surface[s] + (separate_ ? mesh_points_ : 0); }
  auto position(Index s) const { return points_.points.row(points_.surface[s]); }
  bool has_normals() const { return points_.normals.size() > 0; }
  // Of unit length, into the fluid.
  auto normal(Index s) const { return points_.normals.row(s); }
  // What each point stands for; empty when unknown.
  const std::vector<double>& areas() const { return points_.areas; }

  // Values on the wall, [size, C], of a case, or of fields on the mesh's points and on its separate wall, if it has
  // one.
  Matrix fields(const Case& c) const { return fields(c.fields, c.wall_fields); }
  Matrix fields(const Matrix& on_mesh, const Matrix& on_wall) const;

 private:
  const Mesh& points_;
  Index mesh_points_;
  bool separate_;
};

}  // namespace fluidsplat::field
