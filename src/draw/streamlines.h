// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "draw/plane.h"

namespace fluidsplat::draw {

// A line in the plane's coordinates.
using Path = std::vector<std::array<double, 2>>;

// Lines that follow a velocity in the plane, about evenly spaced (after Jobard and Lefer, 1997): each new one begins
// beside one that is there, and ends where it would come too near to another, where there is no data or where the flow
// stands still.  `spacing` is a share of the frame's longer side.
std::vector<Path> streamlines(const Plane& plane, const field::Vector& across, const field::Vector& up,
                              double spacing = 0.035);

}  // namespace fluidsplat::draw
