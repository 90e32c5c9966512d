// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/surface_view.h"

namespace fluidsplat::field {

// Wall points that describe a shape to a model with geometry tokens.
constexpr Index kGeometryTokens = 256;

// At most `most` points of a wall, evenly spread over its list.
std::vector<Index> thin_wall(const SurfaceView& wall, Index most);

// One body's wall in the plane, walked along from neighbour to neighbour.
struct WallCurve {
  std::vector<Index> order;       // points of the wall
  std::vector<double> arclength;  // of each point of `order`, from the first one
  double length = 0;              // of the whole curve, with the way back to the first point when closed
  bool closed = true;
};

// The walls of a 2-D mesh, one curve per body: the first from the wall point `start` on, closed ones
// counter-clockwise.  Neighbours are near and have like normals, so that the two sides of a thin trailing edge are not
// mixed up.
std::vector<WallCurve> wall_curves(const SurfaceView& wall, Index start = 0);

// All of them as one walk, from the point farthest along x: places on the wall by their share of its length.
struct WallWalk {
  std::vector<Index> points;     // places of the mesh
  std::vector<double> distance;  // walked up to each; jumps between bodies count nothing
  double perimeter = 0;          // of all bodies, the way back to their starts included
};

// Throws Error when the mesh has no wall, or is not 2-D.
WallWalk walk_wall(const SurfaceView& wall);

// The place (of the mesh) that is nearest to a fraction, 0 to 1, of the perimeter.
Index wall_point(const WallWalk& walk, double fraction);

// How much wall each of its points stands for: half of both neighbouring segments.
std::vector<double> wall_lengths(const SurfaceView& wall);

}  // namespace fluidsplat::field
