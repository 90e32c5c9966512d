// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "benchmarks/benchmark.h"

namespace fluidsplat::benchmarks {

// The published affine map: p_norm = (p - kCarPressureLow) / (kCarPressureHigh - kCarPressureLow).
constexpr double kCarPressureLow = -844.3360, kCarPressureHigh = 602.6890;

// PhySense-Car: the pressure on 100 cars, each a cloud of surface points (car_raw.h has the files).  One case is in
// memory at a time.
//
// Of each case the points stay whose pressure is within three (population) standard deviations of the case's mean; the
// channel is p_norm.  All points are wall; the files have neither normals nor areas, but what their points tell of
// the surface's shape are features (field/surface_features.h).  The descriptors are the speed and the yaw angle,
// acos(vx / speed) in degrees, which the protocol does not use (data.use_descriptors = false).  The split "paper":
// cases 1 to 75 train, 76 to 100 test, none choose.  Another number of cases keeps these proportions.
Outcome import_car(const std::filesystem::path& source, const std::filesystem::path& dataset, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
