// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "benchmarks/airfoil_splits.h"
#include "benchmarks/benchmark.h"
#include "field/split.h"

namespace fluidsplat::benchmarks {

// An AirfRANS folder (manifest.json and a folder per case, see AirfransFiles) as a dataset, one case in memory at a
// time: read_airfrans_case says what becomes of a case.  The splits are the manifest's: full, aoa, reynolds, and
// scarce, which is tested on full's cases.
Outcome import_airfrans(const std::filesystem::path& folder, const std::filesystem::path& dataset,
                        const RunHooks& hooks);

// The embedded airfoils with their usual settings.
Outcome make_airfrans(const std::filesystem::path& folder, const RunHooks& hooks);

Manifest read_manifest(const std::filesystem::path& file);

// The splits of a manifest over cases that are numbered as in `names`.  Every tenth of a training list, in its order,
// chooses the checkpoint instead.
std::map<std::string, field::Split> airfrans_splits(const Manifest& manifest, const std::vector<std::string>& names);

}  // namespace fluidsplat::benchmarks
