// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// The wall points of a 2-D mesh in the order of a walk along the wall: from the point farthest along x,
// counter-clockwise around a closed body (fluid on the right); one body after the other where there are
// several.
struct WallWalk {
  std::vector<std::int64_t> points;  // of the mesh
  std::vector<double> distance;      // walked up to each; jumps between bodies count nothing
  double perimeter = 0;              // of all bodies, the way back to the start included
};

// Throws Error when the mesh has no wall, or is not 2-D.
WallWalk walk_wall(const Mesh& mesh);

// The wall point (of the mesh) that is nearest to a fraction, 0 to 1, of the perimeter.
std::int64_t wall_point(const WallWalk& walk, double fraction);

}  // namespace fluidsplat::field
