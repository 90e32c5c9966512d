// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled with -fno-math-errno: a square root that may set errno keeps the loop from being vectorised.
#include "learn/optim/adam_pass.h"

#include <cmath>

namespace fluidsplat::learn {
namespace {

template <typename Real>
void pass(const AdamPass& settings, Index size, Real* __restrict gradient, Real* __restrict first,
          Real* __restrict second) {
  const auto new1 = Real(1 - settings.beta1), beta2 = Real(settings.beta2), new2 = Real(1 - settings.beta2),
             epsilon = Real(settings.epsilon);
  for (Index i = 0; i < size; ++i) {
    const Real g = gradient[i], m = first[i] + new1 * (g - first[i]), v = beta2 * second[i] + new2 * (g * g);
    first[i] = m;
    second[i] = v;
    gradient[i] = m / (std::sqrt(v) + epsilon);
  }
}

}  // namespace

void adam_pass(const AdamPass& settings, Index size, float* gradient, float* first, float* second) {
  pass(settings, size, gradient, first, second);
}

void adam_pass(const AdamPass& settings, Index size, double* gradient, double* first, double* second) {
  pass(settings, size, gradient, first, second);
}

}  // namespace fluidsplat::learn
