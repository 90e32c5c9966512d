// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns of a linear map whose inputs are the same for all queries of a case become part of its bias.
#if defined(FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_
#undef FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_
#else
#define FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_
#endif

#include <cstddef>

#include "kernels/dot-inl.h"
#include "kernels/packed_decoder.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// out[i] = bias[i] + columns [first, first + n) of row i times x.
HWY_INLINE void fold_columns(const PackedDecoder& decoder, const LinearParameters& p, Index first, Index n,
                             const float* x, float* out) {
  for (Index i = 0; i < p.rows; ++i)
    out[i] = decoder.at(p.bias)[i] + dot(decoder.at(p.weight) + i * p.cols + first, x, n);
}

// y = W[:, first : first + n] x + b was folded; from the gradient of y to those of W's columns [rows][padded(n)], of b
// and (unless null) of x.
HWY_INLINE void folded_columns_gradient(const PackedDecoder& decoder, const LinearParameters& p, Index first, Index n,
                                        const float* x, const float* y_gradient, float* weight, float* bias,
                                        float* x_gradient) {
  for (Index i = 0; i < p.rows; ++i) {
    add_scaled(y_gradient[i], x, n, weight + i * padded(n));
    if (x_gradient) add_scaled(y_gradient[i], decoder.at(p.weight) + i * p.cols + first, n, x_gradient);
  }
  add_scaled(1.0f, y_gradient, p.rows, bias);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_
