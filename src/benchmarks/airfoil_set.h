// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/shard.h"
#include "benchmarks/airfrans_name.h"
#include "benchmarks/benchmark.h"

namespace fluidsplat::benchmarks {

// The embedded airfoils: random shapes in laminar flow, in the layout of AirfRANS.
struct AirfoilSetOptions {
  Index cases = 160;
  std::uint64_t seed = 1;
  double reynolds_least = 200, reynolds_most = 2000;
  double angle_least = -5, angle_most = 15;         // degrees
  double thickness_least = 8, thickness_most = 20;  // percent of the chord
  double cells_per_chord = 48;
  int threads = 0;  // cases at a time; 0: every processor of this process
  Shard shard;      // of several processes on one folder: this one's cases
};

// One case of a set.
struct AirfoilPlan {
  AirfransName name;
  double reynolds = 0;
  // Of a chord of 1 m at the name's speed, m2/s.
  double viscosity() const { return name.speed / reynolds; }
};

// A function of the seed and the number alone, so that a set can be gone on with and made longer.
AirfoilPlan plan_airfoil(const AirfoilSetOptions& options, Index number);

// Makes the cases that are not there yet, several at a time, then manifest.json.  metadata.json tells the settings; a
// folder made with others is an Error.  A case whose flow diverges is repeated on a finer lattice; one that diverges
// again is left out, and the notes say so.  Of several processes that share the cases the one that is done last writes
// manifest.json; the outcome of the others is not complete.
Outcome make_airfoil_set(const std::filesystem::path& folder, const AirfoilSetOptions& options, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
