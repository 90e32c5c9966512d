// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/d3/cavity.h"

namespace fluidsplat::benchmarks {

// A simulated case on the grid of the files, with n^3 cells.
struct MadeCavity {
  sim::d3::CavityReport report;
  double lattice_velocity = 0;
  sim::d3::Vec3 force;                     // coefficients
  std::vector<std::uint8_t> fluid;         // of each cell
  std::vector<std::vector<float>> fields;  // u, v, w, p
};

// What a run keeps of each case until all are there.
void write_cavity_case(const std::filesystem::path& file, const MadeCavity& made, Index n);
// Nothing when the file is missing, damaged or of another grid: then the case is made again.
std::optional<MadeCavity> read_cavity_case(const std::filesystem::path& file, Index n);

}  // namespace fluidsplat::benchmarks
