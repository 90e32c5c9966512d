// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/index.h"

namespace fluidsplat::importing {

struct ProbeTables {
  Index sensors = 0, instants = 0;
  double first = 0, last = 0;  // times
};

// Writes what OpenFOAM's probes recorded as a CSV of sensors (for `init`) and one of their readings (for
// `reconstruct`).  With a dataset, its coordinates and channels are kept; without, probes at one depth are 2-D.
ProbeTables write_probe_tables(const std::filesystem::path& folder, const std::filesystem::path& dataset,
                               const std::filesystem::path& sensors, const std::filesystem::path& readings);

}  // namespace fluidsplat::importing
