// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "benchmarks/benchmark.h"

namespace fluidsplat::benchmarks {

// FlowBench's LDC-3D: LDC_3D_X.npz (n, 3, s, s, s) and LDC_3D_Y.npz (n, 5 or more, s, s, s), array `data`, in the
// folder `source`.  They are larger than memory and read case by case in one pass.
//
// A case's channels are u, v, w, p on its fluid cells, its feature the signed distance, its descriptor Re.  Grids of
// 128^3 are averaged to 64^3 (256^3 too), smaller ones stay as they are.  Cases with the same obstacle share a mesh.
// Splits: "paper" (70, 10 and 20 % of the cases, drawn at random) and, where there are several obstacles, "obstacles"
// (the same shares in the order of the file, so that no obstacle is in two of them).
Outcome import_ldc3d(const std::filesystem::path& source, const std::filesystem::path& dataset, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
