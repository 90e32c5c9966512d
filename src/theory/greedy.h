// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "theory/gaussian_dictionary.h"

namespace fluidsplat::theory {

// Adaptive approximation by Gaussians: orthogonal greedy pursuit over candidate centres times a ladder of scales.
struct GreedyFit {
  GaussianDictionary chosen;  // in the order chosen
  Vector coefficients;        // of all chosen
  // relative_errors[k-1]: L2 over the samples of the best combination of the first k.
  std::vector<double> relative_errors;
};

struct GreedySettings {
  int count = 64;         // Gaussians to choose
  int candidates = 1024;  // centres on offer (farthest points of the samples)
  int scales = 8;         // from the extent of the samples down, halving
};

// Each step takes the candidate most parallel to what is left, then refits all coefficients.  Stops early when nothing
// is left to explain.  Memory: candidates * scales * samples doubles at most (narrow Gaussians are stored sparsely).
GreedyFit fit_greedy(const Points& points, const Eigen::Ref<const Vector>& values, const GreedySettings& settings = {});

}  // namespace fluidsplat::theory
