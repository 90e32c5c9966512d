// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/d3/lattice.h"

namespace fluidsplat::sim::d3 {

// A body in the flow, in lattice units (cell centres at integer coordinates).
struct Solid {
  // Signed distance to its surface: positive in the fluid.  Only the sign and the zero are used.  Empty: no body.
  std::function<double(Vec3)> distance;
  // Velocity of the surface at a point of it; empty means at rest.
  std::function<Vec3(Vec3)> surface_velocity;
};

}  // namespace fluidsplat::sim::d3
