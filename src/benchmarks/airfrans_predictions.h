// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/benchmark.h"
#include "field/evaluation.h"

namespace fluidsplat::benchmarks {

// Reconstructs cases of a dataset that came from an AirfRANS folder, each from its own sensors, and writes what comes
// out beside the truth, as <name>_internal_predicted.vtu and <name>_aerofoil_predicted.vtp: the same points and cells,
// with U and p.  Everything else that the files of the truth hold is left out.
Outcome write_airfrans_predictions(const std::filesystem::path& folder, const field::Dataset& dataset,
                                   const std::vector<Index>& cases, const field::SensorPlacement& sensors,
                                   const field::Predict& predict, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
