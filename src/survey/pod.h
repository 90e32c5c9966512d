// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::survey {

// How the energy of the fluctuations about the mean is shared by the modes of a proper orthogonal decomposition: few
// modes mean that few sensors can tell the cases apart.
struct PodEnergy {
  Index mesh = 0;             // where it was computed: the mesh with most cases
  Index snapshots = 0;        // cases that were used
  std::vector<double> share;  // of the energy, largest first; sums to 1

  // The fewest modes that hold this share of the energy.
  int modes_for(double energy) const;
};

// The method of snapshots on at most `max_snapshots` cases, evenly spread, and `max_points` points of the mesh that
// most cases share.  Channels count by their standard deviation.  Nothing when no mesh has two cases, or nothing
// varies.
std::optional<PodEnergy> pod_energy(const field::Dataset& dataset, int max_snapshots = 128, Index max_points = 20000);

}  // namespace fluidsplat::survey
