// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "field/case.h"

namespace fluidsplat::draw {

// Where a 3-D mesh is cut to be shown.
struct Slice {
  int normal = 2;   // the axis that looks at the viewer
  double at = 0.5;  // where along it, as a share of the mesh's extent
};

// A part of the plane, and the coordinates along its sides.
struct Frame {
  double left = 0, right = 1, bottom = 0, top = 1;
  Index across = 0, up = 1;
};

// A mesh as a picture shows it: all of a planar one, a slice of one in space (a grid by its nearest layer).  Says which
// points speak for a place: a grid's cell, or scattered points as far as their own neighbours are away, but not inside
// a body whose wall is known.
class Plane {
 public:
  explicit Plane(const field::Mesh& mesh, const Slice& slice = {});
  ~Plane();
  Plane(const Plane&) = delete;
  Plane& operator=(const Plane&) = delete;

  const Frame& frame() const { return frame_; }
  bool is_slice() const { return is_slice_; }  // of a mesh in space
  // The point of the mesh that speaks for a place, or -1 where there is no data.
  Index point_at(double x, double y) const;
  // Between the nearest points, by the inverse square of their distances; NaN where there is no data.
  double interpolate(const field::Vector& values, double x, double y) const;

 private:
  struct Points;
  Index nearest_to(double x, double y) const;  // among the shown points
  bool is_inside_body(double x, double y, double nearest_squared) const;

  bool is_slice_ = false;
  Frame frame_;
  std::vector<Index> shown_;
  std::unique_ptr<const Points> points_;
  std::optional<std::array<double, 2>> cell_;  // size of an even grid's cells
  std::vector<double> reach_;                  // how far each shown point speaks for its surroundings
  std::unique_ptr<const Points> wall_;         // of scattered points in the plane, when it has normals
  std::vector<std::array<double, 2>> normals_;
};

}  // namespace fluidsplat::draw
