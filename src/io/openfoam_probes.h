// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>

#include "io/csv.h"

namespace fluidsplat::io {

// What OpenFOAM's probes recorded.
struct FoamProbes {
  std::vector<std::array<double, 3>> places;
  // A column "time", then a column "probe0.p" for each probe and quantity.  Of vectors there are u, v, w for the
  // velocity U and "<name>_x" and so on for others.  A value that a probe does not have is NaN.
  Table readings;
};

// Reads the folder of a function object (postProcessing/probes) with its folders of start times, each with a file per
// field; where a run was started again, later folders replace what follows their start.  A case folder, or its
// postProcessing, will do when there is one such function object.
FoamProbes read_foam_probes(const std::filesystem::path& folder);

}  // namespace fluidsplat::io
