// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::field {

// Wall points that describe a shape to a model with geometry tokens.
constexpr Index kGeometryTokens = 256;

// At most `most` points of a mesh's wall, evenly spread over its list: indices into mesh.surface.
std::vector<Index> thin_wall(const Mesh& mesh, Index most);

// One body's wall in the plane, walked along from neighbour to neighbour.
struct WallCurve {
  std::vector<Index> order;       // indices into mesh.surface
  std::vector<double> arclength;  // of each point of `order`, from the first one
  double length = 0;              // of the whole curve, with the way back to the first point when closed
  bool closed = true;
};

// The walls of a 2-D mesh, one curve per body: the first from the surface point `start` on, closed ones
// counter-clockwise.  Neighbours are near and have like normals, so that the two sides of a thin trailing edge are not
// mixed up.
std::vector<WallCurve> wall_curves(const Mesh& mesh, Index start = 0);

// All of them as one walk, from the point farthest along x: places on the wall by their share of its length.
struct WallWalk {
  std::vector<Index> points;     // of the mesh
  std::vector<double> distance;  // walked up to each; jumps between bodies count nothing
  double perimeter = 0;          // of all bodies, the way back to their starts included
};

// Throws Error when the mesh has no wall, or is not 2-D.
WallWalk walk_wall(const Mesh& mesh);

// The wall point (of the mesh) that is nearest to a fraction, 0 to 1, of the perimeter.
Index wall_point(const WallWalk& walk, double fraction);

// How much wall each surface point stands for, in the order of mesh.surface: half of both neighbouring segments.
std::vector<double> wall_lengths(const Mesh& mesh);

}  // namespace fluidsplat::field
