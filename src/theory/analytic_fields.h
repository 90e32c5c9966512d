// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// A formula on the unit box whose Sobolev smoothness is known: it lies in H^t for every t below `smoothness` and in
// none above, so L2 errors of the best approximation on K quasi-uniform centres fall as K^{-smoothness/d}. The rough
// ones vanish at the boundary, which keeps its own effects out of the rates.
struct AnalyticField {
  std::string name;
  int dimension = 1;
  double smoothness = 0;  // infinity for a smooth field
  std::function<double(const double*)> value;

  Vector at(const Points& points) const;
};

// One column per field.
Matrix sample(const std::vector<AnalyticField>& fields, const Points& points);

// |x - c|^power near a random point c of the middle: smoothness power + d/2.  Even integers are refused (they
// are smooth).
AnalyticField point_singularity(int dimension, double power, std::uint64_t seed);

// A Fourier series with random phases and amplitudes |k|^-(smoothness + d/2) for 0 < |k| <= max_frequency: equally
// rough everywhere, so that adaptive centres gain no rate.  Rates hold while the centres resolve frequencies well below
// max_frequency.
AnalyticField random_series(int dimension, double smoothness, int max_frequency, std::uint64_t seed);

// A plane wave: infinitely smooth, and not flat anywhere near the boundary.
AnalyticField smooth_wave(int dimension);

}  // namespace fluidsplat::theory
