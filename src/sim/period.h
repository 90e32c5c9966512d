// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fluidsplat::sim {

// A period with a bound on its error: three standard errors of the noise, and all of the drift that is seen.
struct Period {
  double length = 0, uncertainty = 0;
};

// From the times of crossings, one per cycle.  A straight line through the last of them: as many as make the
// uncertainty smallest, since more average the noise while the oldest may belong to a flow that was still settling.
// With fewer than five crossings the uncertainty is infinite.
Period measure_period(std::span<const double> crossings);

}  // namespace fluidsplat::sim
