// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "benchmarks/airfoil_set.h"

namespace fluidsplat::benchmarks {

// The lists of a manifest, by their names.
using Manifest = std::map<std::string, std::vector<std::string>>;

// As AirfRANS has them: full (a random fifth tests), scarce (a quarter of full's training), aoa (angles in the middle
// three quarters of the range train, those outside test), reynolds (the middle half, on a logarithmic scale, trains).
Manifest split_airfoils(const std::vector<AirfoilPlan>& cases, const AirfoilSetOptions& options);

}  // namespace fluidsplat::benchmarks
