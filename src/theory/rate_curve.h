// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/points.h"
#include "theory/rate_fit.h"

namespace fluidsplat::theory {

// Relative L2 errors over primitive counts, of several fields on the same points.
struct RateCurve {
  std::vector<double> counts, mean, deviation;  // over fields; the deviation is that of a sample
  RateFit fit;                                  // of the mean

  void add(int count, const Vector& errors);
  void finish() { fit = fit_rate(counts, mean); }
};

}  // namespace fluidsplat::theory
