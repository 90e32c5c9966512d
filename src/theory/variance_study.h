// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// The empirical variance of least squares over what the theory says it is proportional to, sigma^2 K / N.
struct VarianceCell {
  int primitives = 0, samples = 0;
  double noise = 0;
  double ratio = 0;      // Monte-Carlo variance / (sigma^2 K / N); the domain's volume when samples are even
  double stability = 0;  // c_s of this design: the bound says ratio <= volume / c_s
};

struct VarianceSettings {
  int dimension = 2;
  std::vector<int> primitives = {4, 9, 16, 25, 36};
  std::vector<int> samples_per_axis = {24, 32, 48};  // N = its power of the dimension
  std::vector<double> noise = {0.01, 0.1, 1.0};
  bool stratified = true;  // false: independent uniform samples, for which the ratio grows as 1 / (1 - K/N)
  int draws = 4000;        // of K coefficients in all: each cell averages draws / K noise vectors
  std::uint64_t seed = 1;
};

std::vector<VarianceCell> study_variance(const VarianceSettings& settings = {});

// (max - min) / mean of the ratio.
double spread(const std::vector<VarianceCell>& cells);

}  // namespace fluidsplat::theory
