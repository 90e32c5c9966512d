// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/gaussian_dictionary.h"

namespace fluidsplat::theory {

// The variance of least squares over what the theory says it is proportional to, sigma^2 K / N, for one
// drawing of the N samples.  With a basis psi of the dictionary's span that is orthonormal on the domain, the
// ratio is trace(M^-1) / K times the volume, M = volume / N * sum_i psi(x_i) psi(x_i)^T.  Samples that
// integrate the basis exactly have M = I.  Independent ones have E M = I, hence E M^-1 > I: this excess is
// `inflation`.
struct VarianceCell {
  int primitives = 0, samples = 0;
  double noise = 0;
  bool stratified = false;
  double ratio = 0;        // Monte-Carlo: noise drawn and fitted
  double exact_ratio = 0;  // the same samples, exact in the noise
  double inflation = 1;    // the ratio to expect of independent samples, to first order in 1/N
  double stability = 0;    // c_s of these samples: the bound says ratio <= volume / c_s
  bool plentiful()
      const;  // N >= kPlenty K log K: the samples see the dictionary evenly with high probability
};

// The theorem asks for A^T A to be comparable with N G.  Independent uniform samples grant that once N is
// large against K log K; the grid of constancy starts at this multiple.
constexpr double kPlenty = 10;

struct VarianceSettings {
  int dimension = 2;
  std::vector<int> primitives = {4, 9, 16, 25, 36};
  std::vector<int> samples_per_axis = {12, 16, 24, 40, 48, 64};  // N = its power of the dimension
  std::vector<double> noise = {0.01, 0.1, 1.0};
  bool stratified = false;  // one sample in each of N equal cells instead of independent ones
  int draws = 16000;  // of coefficients: a cell averages draws / K noise vectors, an error of sqrt(2 / draws)
  std::uint64_t seed = 1;
};

std::vector<VarianceCell> study_variance(const VarianceSettings& settings = {});

// 1 + (volume * integral of kappa^2 / K - 1) / N, with kappa = sum_k psi_k^2: what independent uniform
// samples cost on average, to first order in 1/N.  It is at least 1 + (K - 1)/N, with equality for a constant
// kappa.
double expected_inflation(const GaussianDictionary& dictionary, const Box& box, int samples);

std::vector<VarianceCell> plentiful(const std::vector<VarianceCell>& cells);

// (max - min) / mean of the ratio.
double spread(const std::vector<VarianceCell>& cells);

}  // namespace fluidsplat::theory
