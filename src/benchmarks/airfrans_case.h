// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/airfrans_files.h"
#include "benchmarks/airfrans_name.h"
#include "field/case.h"

namespace fluidsplat::benchmarks {

// Channels u, v (m/s), p (p / density, m2/s2); descriptors Reynolds and angle (degrees); six features of a point:
//
//   distance            to the wall, m, 0 on it
//   normal_x, normal_y  of the nearest wall point, into the fluid
//   arclength           of the nearest wall point: share of the perimeter from the trailing edge over the upper side
//   stream_x, stream_y  from the leading edge, along the free stream and to the left of it, m
field::Schema airfrans_schema();

// One case of an AirfRANS folder.  Its mesh are all points of the volume's file, which has points on the wall too; the
// wall is the set of points of its own file, with normals turned into the fluid and no velocity.  The Reynolds number
// follows from the speed and the viscosity, which is AirfRANS's unless the case's facts say another.  The reference is
// the case's free stream.
field::Case read_airfrans_case(const AirfransFiles& files, const std::string& name);

}  // namespace fluidsplat::benchmarks
