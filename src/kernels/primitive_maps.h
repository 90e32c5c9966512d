// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "kernels/spec.h"

namespace fluidsplat::kernels {

// One primitive -> the record the scaffold evaluates (CaseState::gaussian_size floats).
void primitive_gaussian(const FluidSplatSpec& shape, const float* primitive, float* gaussian);

// Moments of a primitive over queries, weighted with the gradient g of the loss by l(x): sum g; sum g y_i; sum g y_i
// y_j for i <= j, where y = x - centre; then the gradient of the amplitude, C numbers.
inline Index moment_count(const FluidSplatSpec& s) {
  return 1 + s.dim + s.dim * (s.dim + 1) / 2 + s.channels;
}
// Adds the primitive's gradient that these moments stand for.
void add_gaussian_gradient(const FluidSplatSpec& shape, const float* primitive, const float* moments, float* gradient);

// One primitive -> its token, and the token's gradient added to the primitive's.
void primitive_token(const FluidSplatSpec& shape, const float* primitive, float* token);
void add_token_gradient(const FluidSplatSpec& shape, const float* primitive, const float* token_gradient,
                        float* gradient);

// The head's maps: raw output [K][head_columns] -> primitives [K][primitive_columns] (docs/model.md, "Primitive head").
void head_to_primitives(const FluidSplatSpec& shape, double scale_min, double scale_max, const float* raw,
                        float* primitives);

}  // namespace fluidsplat::kernels
