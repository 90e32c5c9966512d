// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/shard.h"
#include "benchmarks/benchmark.h"
#include "sim/d3/cavity.h"

namespace fluidsplat::benchmarks {

struct CavitySetOptions {
  Index cases = 250;
  Index size = 32;   // cells along a side, of the files
  Index refine = 1;  // lattice cells along a side of each of them, at least: thin fluids need more
  std::uint64_t seed = 1;
  double reynolds_most = 1000;     // of the thin fluids, which take most of the time
  double lattice_velocity = 0.15;  // of the lid
  sim::d3::SteadyOptions steady;
  int threads = 0;  // cases at a time; 0: one for every processor of this process
  Shard shard;      // of several processes on one folder: this one's cases
};

// Ten cases in a row share a random obstacle; five have Reynolds numbers in 10..100, five in 0.1 to 1 of the largest. A
// function of the seed and the number alone.
sim::d3::CavityCase cavity_case(const CavitySetOptions& options, Index number);

// Simulates cavities until each is steady and writes them as FlowBench's own files, LDC_3D_X.npz and LDC_3D_Y.npz, and
// cavity3d.json, which says how each case was made.  Finished cases are kept in the folder `cases`, so that an
// interrupted run goes on where it stopped and a set can grow.  A case that neither at the full nor at half the lattice
// velocity becomes steady is left out and named in the notes.
//
// Of several processes that share the cases the one that is done last writes these files; the outcome of the others is
// not complete.
//
// A folder that holds cases of other settings is an Error.  The hooks are called from several threads, progress by one
// at a time.
Outcome make_cavity_set(const std::filesystem::path& folder, const CavitySetOptions& options, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
