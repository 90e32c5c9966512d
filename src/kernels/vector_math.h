// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/index.h"

namespace fluidsplat::kernels {

// Elementary functions over arrays, on the widest vectors the processor has.  `in` and `out` may be the same.  Error
// bounds are stated at each function in vector_math-inl.h.
enum class Elementary {
  kExp,
  kExp2OfNegative,
  kErf,
  kGelu,
  kGeluDerivative,
  kTanh,
  kSigmoid,
  kLog1p,
  kSin,
  kCos,
  kSinPi,
  kCosPi
};
void apply(Elementary function, const float* in, float* out, Index count);

}  // namespace fluidsplat::kernels
