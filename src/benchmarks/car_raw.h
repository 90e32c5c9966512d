// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "base/index.h"
#include "sim/surface_cloud.h"

namespace fluidsplat::benchmarks {

// The two text files of a case of PhySense-Car, as OpenFOAM writes them:
//
//   pressure_files/case_<i>_p_car_patch.raw         # p  FACE_DATA 95428
//                                                   #  x  y  z  p
//                                                   -1.02 0.31 0.55 -83.1
//   velocity_files/case_<i>_initialConditions       flowVelocity (29.5 2.1 0);
struct CarFileNames {
  std::filesystem::path pressure, velocity;
};
CarFileNames car_file_names(const std::filesystem::path& folder, Index number);

// The numbers of the cases that have either file, rising.  An Error when the folder has not the two sub-folders.
std::vector<Index> car_case_numbers(const std::filesystem::path& folder);

// Points and pressure.  What is no row of four finite numbers, a number of rows other than the comment says, and an end
// in the middle of a line are Errors with the file and the line.
sim::SurfaceCloud read_car_pressure(const std::filesystem::path& file);
Eigen::Vector3d read_flow_velocity(const std::filesystem::path& file);

std::string car_pressure_text(const sim::SurfaceCloud& cloud);
std::string flow_velocity_text(const Eigen::Vector3d& velocity);

}  // namespace fluidsplat::benchmarks
