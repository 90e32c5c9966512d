// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/gaussian_dictionary.h"

namespace fluidsplat::theory {

// The variance of least squares over what the theory says it is proportional to, sigma^2 K / N, averaged over drawings
// of the N samples.  With a basis psi of the dictionary's span that is orthonormal on the domain, the ratio is volume /
// K * trace(M^-1), M = volume / N * sum_i psi(x_i) psi(x_i)^T.  Samples that integrate products of the basis exactly
// have M = I.  Independent ones have M = I on average only, and therefore trace(M^-1) > K on average.
struct VarianceCell {
  int primitives = 0, samples = 0;
  double noise = 0;
  bool stratified = false;
  double ratio = 0;        // Monte-Carlo: samples and noise drawn, coefficients fitted
  double exact_ratio = 0;  // the same samples, exact in the noise
  double stability = 0;    // the least c_s of these samples: the bound says ratio <= volume / c_s
  double inflation = 1;    // the ratio to expect of independent samples, to first order in 1/N
  double luck = 0;         // its standard deviation from one drawing of independent samples to the next
  bool plentiful() const;  // N >= kPlenty K log K
};

// The theorem asks for A^T A to be comparable with N G.  Independent uniform samples grant that with high probability
// once N is large against K log K; cells from this multiple on count as such.
constexpr double kPlenty = 10;

struct VarianceSettings {
  int dimension = 2;
  std::vector<int> primitives = {4, 9, 16, 25, 36};
  std::vector<int> samples_per_axis = {12, 16, 24, 36, 48};  // N = its power of the dimension
  std::vector<double> noise = {0.01, 0.1, 1.0};
  bool stratified = false;  // one sample in each of N equal cells instead of independent ones
  int drawings = 16;        // of the samples
  int draws = 16000;  // of coefficients in all: a cell averages draws / K noise vectors, an error of sqrt(2 / draws)
  std::uint64_t seed = 1;
};

std::vector<VarianceCell> study_variance(const VarianceSettings& settings = {});

// What independent uniform samples cost, to first order in 1/N, with kappa = sum_k psi_k^2, whose mean is K / volume.
struct Inflation {
  // 1 + (volume * integral of kappa^2 / K - 1) / N; at least 1 + (K - 1)/N, with equality for a constant kappa.
  double expected = 1;
  double deviation = 0;  // of one drawing: that of the mean of kappa over N samples, relative to its own mean
};
Inflation sampling_inflation(const GaussianDictionary& dictionary, const Box& box, int samples);

std::vector<VarianceCell> plentiful(const std::vector<VarianceCell>& cells);

// (max - min) / mean of the ratio.
double relative_range(const std::vector<VarianceCell>& cells);

}  // namespace fluidsplat::theory
