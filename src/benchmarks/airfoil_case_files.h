// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "benchmarks/airfoil_cloud.h"
#include "benchmarks/airfrans_files.h"
#include "benchmarks/airfrans_name.h"
#include "sim/airfoil_flow.h"

namespace fluidsplat::benchmarks {

// A flow as the three files of an AirfRANS case, in m/s and m2/s2 for a chord of 1 m and the name's speed: the cloud,
// its wall with normals that point into the body as there, and the edge of the box.  `at` is asked at the cloud's
// points; at the wall only its pressure counts.  The eddy viscosity is 0: the flow is laminar.
void write_airfoil_case(const AirfransFiles& files, const AirfransName& name, const AirfoilCloud& cloud,
                        const std::function<sim::AirfoilSample(sim::Vec2)>& at);

}  // namespace fluidsplat::benchmarks
