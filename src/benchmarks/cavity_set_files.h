// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "benchmarks/cavity_case_file.h"
#include "benchmarks/cavity_set.h"

namespace fluidsplat::benchmarks {

inline constexpr const char *kLdc3dInputs = "LDC_3D_X.npz", *kLdc3dOutputs = "LDC_3D_Y.npz";

// At the centres of the n^3 cells.
std::vector<double> cell_distances(const sim::d3::Obstacle& obstacle, Index n);

// The given cases as FlowBench's two files, one case in memory at a time.  False, and no files, when interrupted.
bool write_ldc3d_files(const std::filesystem::path& folder, const CavitySetOptions& options,
                       const std::vector<Index>& cases, const std::function<MadeCavity(Index)>& load,
                       const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
