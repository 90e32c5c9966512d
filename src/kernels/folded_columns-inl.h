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

#include "kernels/context.h"
#include "kernels/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Some columns of a linear map, its bias, and the input that these columns always see.
struct FoldedColumns {
  MatrixView weight;  // [rows][n]
  const float* bias;  // [rows]
  const float* x;     // [n]

  // All columns of a map that sees nothing else.
  static FoldedColumns all(const PackedDecoder& decoder, const LinearParameters& p, const float* x) {
    return {.weight = decoder.weight(p), .bias = decoder.at(p.bias), .x = x};
  }
  // The columns of z in a first layer, which stand behind those of the query inputs.
  static FoldedColumns of_context(const PackedDecoder& decoder, const LinearParameters& p, const float* z) {
    const FluidSplatSpec& s = decoder.shape();
    return {.weight = decoder.weight(p).some_columns(s.query_inputs(), s.context), .bias = decoder.at(p.bias), .x = z};
  }
};

// out [rows] = weight x + bias.
HWY_INLINE void fold_columns(const FoldedColumns& c, float* out) {
  for (Index i = 0; i < c.weight.rows; ++i)
    out[i] = c.bias[i] + dot(c.weight.data + i * c.weight.row_step, c.x, c.weight.cols);
}

// From the gradient of `out` to those of weight, bias and (unless null) x.
HWY_INLINE void fold_columns_backward(const FoldedColumns& c, const float* out_gradient, const LinearSums& sums,
                                      float* x_gradient) {
  const Index n = c.weight.cols;
  for (Index i = 0; i < c.weight.rows; ++i) {
    add_scaled(out_gradient[i], c.x, n, sums.weight + i * padded(n));
    if (x_gradient) add_scaled(out_gradient[i], c.weight.data + i * c.weight.row_step, n, x_gradient);
  }
  add_scaled(1.0f, out_gradient, c.weight.rows, sums.bias);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FOLDED_COLUMNS_INL_H_
