// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The gradient of CaseState::fold: from what a case's queries share to its context, its primitives and the
// weights that only tokens and contexts are multiplied with.
#if defined(FLUIDSPLAT_KERNELS_FOLD_GRADIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_FOLD_GRADIENT_INL_H_
#undef FLUIDSPLAT_KERNELS_FOLD_GRADIENT_INL_H_
#else
#define FLUIDSPLAT_KERNELS_FOLD_GRADIENT_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "kernels/backward_buffers.h"
#include "kernels/case_state.h"
#include "kernels/dot-inl.h"
#include "kernels/gradient_layout.h"
#include "kernels/primitive_maps.h"
#include "kernels/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// y = W[:, first : first + n] x + b was folded; from the gradient of y to those of W's columns
// [rows][padded(n)], of b and (unless null) of x.
HWY_INLINE void folded_columns_gradient(const PackedDecoder& decoder, const LinearParameters& p, size_t first,
                                        size_t n, const float* x, const float* y_gradient, float* weight,
                                        float* bias, float* x_gradient) {
  for (size_t i = 0; i < p.rows; ++i) {
    add_scaled(y_gradient[i], x, n, weight + i * padded(n));
    if (x_gradient) add_scaled(y_gradient[i], decoder.at(p.weight) + i * p.cols + first, n, x_gradient);
  }
  add_scaled(1.0f, y_gradient, p.rows, bias);
}

// y = x W^T + b for `count` tokens; gradients of W [out][padded(in)] and b, and x_gradient += y_gradient W.
HWY_INLINE void token_rows_gradient(size_t count, const float* y_gradient, size_t out, const float* x,
                                    size_t in, const float* w, float* weight, float* bias,
                                    float* x_gradient) {
  const size_t y_row = padded(out), x_row = padded(in);
  rows_product({y_gradient, out, 1, y_row, 1, count, 0}, x, x_row, kPanel, in, weight, x_row);
  for (size_t j = 0; j < count; ++j) add_scaled(1.0f, y_gradient + j * y_row, out, bias);
  rows_product({y_gradient, count, y_row, 1, 1, out, 0}, w, x_row, kPanel, in, x_gradient, x_row);
}

// [h][rows][padded(head width)] -> [rows][padded(A)], times `scale`.
HWY_INLINE void join_heads(const DecoderShape& s, const float* heads, float scale, float* rows) {
  const size_t width = s.head_width(), count = s.tokens(), row = padded(s.attention_width);
  for (size_t h = 0; h < s.heads; ++h)
    for (size_t j = 0; j < count; ++j)
      for (size_t i = 0; i < width; ++i)
        rows[j * row + h * width + i] = scale * heads[(h * count + j) * padded(width) + i];
}

// Keys, values, tokens and the query token's constant part.
HWY_INLINE void attention_fold_gradient(const PackedDecoder& decoder, const CaseState& state,
                                        const CaseInput& input, const CaseGradients& sums,
                                        const FoldBuffers& b, const GradientLayout& at, float* weights,
                                        float* context_gradient) {
  const DecoderShape& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const size_t a = s.attention_width, row = padded(a), count = s.tokens(), k = s.primitives;
  folded_columns_gradient(decoder, p.attend_q, 0, a, state.query_bias, sums.mesh_q_bias,
                          weights + at.attend_q.weight, weights + at.attend_q.bias, sums.query_bias);
  folded_columns_gradient(decoder, p.query, s.query_inputs(), s.context, input.context, sums.query_bias,
                          weights + at.query_context, weights + at.query.bias, context_gradient);
  join_heads(s, sums.keys, 1.0f / std::sqrt(static_cast<float>(s.head_width())), b.keys);
  join_heads(s, sums.values, 1.0f, b.values);
  std::fill_n(b.embedded, count * row, 0.0f);
  token_rows_gradient(count, b.keys, a, state.embedded, a, decoder.key, weights + at.attend_k.weight,
                      weights + at.attend_k.bias, b.embedded);
  token_rows_gradient(count, b.values, a, state.embedded, a, decoder.value, weights + at.attend_v.weight,
                      weights + at.attend_v.bias, b.embedded);
  std::fill_n(b.tokens, k * padded(s.token_columns()), 0.0f);
  token_rows_gradient(k, b.embedded, a, state.tokens, s.token_columns(), decoder.token,
                      weights + at.token.weight, weights + at.token.bias, b.tokens);
  if (s.global_token)
    folded_columns_gradient(decoder, p.global, 0, s.context, input.context, b.embedded + k * row,
                            weights + at.global.weight, weights + at.global.bias, context_gradient);
}

// The modulation's gradient arrives for 1 + g alpha and g beta; alpha and beta are hyperbolic tangents.
HWY_INLINE void modulation_gradient(const PackedDecoder& decoder, const CaseState& state,
                                    const CaseInput& input, const CaseGradients& sums,
                                    const GradientLayout& at, float* weights) {
  const DecoderShape& s = decoder.shape();
  for (size_t l = 0; l < decoder.parameters().modulation.size(); ++l) {
    float* gradient = sums.modulation + l * 2 * s.width;
    for (size_t i = 0; i < 2 * s.width; ++i) {
      const float value = state.modulation[l * 2 * s.width + i] - (i < s.width ? 1.0f : 0.0f);
      const float tangent = value / s.modulation_gain;
      gradient[i] *= s.modulation_gain * (1.0f - tangent * tangent);
    }
    folded_columns_gradient(decoder, decoder.parameters().modulation[l], 0, s.descriptors, input.descriptors,
                            gradient, weights + at.modulation[l].weight, weights + at.modulation[l].bias,
                            nullptr);
  }
}

HWY_INLINE void fold_gradient(const PackedDecoder& decoder, const CaseState& state, const CaseInput& input,
                              const CaseGradients& sums, const FoldBuffers& b, const GradientLayout& at,
                              float* weights, float* context_gradient, float* primitives_gradient) {
  const DecoderShape& s = decoder.shape();
  std::fill_n(context_gradient, s.context, 0.0f);
  if (s.has_decoder()) {
    folded_columns_gradient(decoder, decoder.parameters().mlp[0], s.query_inputs(), s.context, input.context,
                            sums.mlp_bias, weights + at.mlp_context, weights + at.mlp[0].bias,
                            context_gradient);
    modulation_gradient(decoder, state, input, sums, at, weights);
  }
  if (s.attends()) attention_fold_gradient(decoder, state, input, sums, b, at, weights, context_gradient);
  const size_t columns = s.primitive_columns();
  std::fill_n(primitives_gradient, s.primitives * columns, 0.0f);
  for (size_t k = 0; k < s.primitives; ++k) {
    const float* primitive = input.primitives + k * columns;
    float* gradient = primitives_gradient + k * columns;
    add_gaussian_gradient(s, primitive, sums.moments + k * moment_count(s), gradient);
    if (s.attends()) add_token_gradient(s, primitive, b.tokens + k * padded(s.token_columns()), gradient);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_FOLD_GRADIENT_INL_H_
