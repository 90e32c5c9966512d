// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "model/spec.h"

namespace fluidsplat::baselines {

// The benchmark whose sizes suit some data: the wake where there is one body, the airfoils where bodies differ and the
// model looks at their walls, the cavity in space.
enum class Benchmark { kCylinder, kAirfoils, kCavity };
Benchmark benchmark_like(Index dim, bool looks_at_wall);

// Settings of a neural baseline with the sizes that it was published with, for the paper's benchmarks
// (docs/baselines.md).  In space FLRONet's are ours.
std::unique_ptr<model::Spec> published_spec(const std::string& kind, Benchmark benchmark, bool looks_at_wall);

}  // namespace fluidsplat::baselines
