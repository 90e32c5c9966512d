// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/sensors.h"

namespace fluidsplat::field {

// Middles of equal pieces of a wall's perimeter: no sensor sits on the seam.
std::vector<double> even_arclengths(Index count);

// Another number of the same sensors.  Those without places of their own are drawn, those along the wall stand at equal
// distances, and of those at fixed places the first ones stay; asking for more than these is an Error.  Sensors that
// moved have no names, and no mean readings until SensorPlacement::learn_means() finds them.  Positions are on `mesh`.
SensorLayout with_count(const SensorLayout& layout, Index count, const Mesh& mesh);

}  // namespace fluidsplat::field
