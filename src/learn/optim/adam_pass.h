// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"

namespace fluidsplat::learn {

// How Adam's moments forget, and what keeps its quotient finite.
struct AdamPass {
  double beta1 = 0, beta2 = 0, epsilon = 0;
};

// The moments take in a gradient, and what was the gradient becomes first / (sqrt(second) + epsilon).  One pass over
// the memory of `size` numbers each, where a tensor operation for every sign takes eight.
void adam_pass(const AdamPass& settings, Index size, float* gradient, float* first, float* second);
void adam_pass(const AdamPass& settings, Index size, double* gradient, double* first, double* second);

}  // namespace fluidsplat::learn
