// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The maps of AttentionFold, and from their gradients to those of the weights.
#if defined(FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_
#undef FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "kernels/backward_buffers.h"
#include "kernels/case_state.h"
#include "kernels/folded_columns-inl.h"
#include "kernels/gradient_layout.h"
#include "kernels/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// A matrix of parameters, [rows][cols] without padding, as the left factor of rows_product, and its transpose.
HWY_INLINE LeftMatrix left(const float* w, Index rows, Index cols) {
  return {w, rows, cols, 1, 1, cols, 0};
}
HWY_INLINE LeftMatrix left_transposed(const float* w, Index rows, Index cols) {
  return {w, cols, 1, cols, 1, rows, 0};
}

// c[rows][padded(cols)] = a B, B [..][padded(cols)].
HWY_INLINE void plain_product(const LeftMatrix& a, const float* b, Index cols, float* c) {
  std::fill_n(c, a.rows * padded(cols), 0.0f);
  rows_product(a, b, padded(cols), kPanel, cols, c, padded(cols));
}

// Everything but the tokens, before packing; `query_bias` is the query token's constant part.
HWY_INLINE void fold_attention(const PackedDecoder& decoder, const CaseInput& input, const float* query_bias,
                               AttentionFold& f) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const Index a = s.attention_width, width = s.head_width(), rank = s.token_rank(), t = s.token_columns(),
              columns = AttentionFold::basis_columns(s), row = padded(columns), rows = s.head_rows();
  if (s.global_token) fold_columns(decoder, p.global, 0, s.context, input.context, f.global);
  for (Index i = 0; i < a; ++i) {
    const float bias = decoder.at(p.token.bias)[i];
    float* out = std::copy_n(decoder.at(p.token.weight) + i * t, t, f.basis + i * row);
    if (s.global_token) *out++ = f.global[i] - bias;
    *out = bias;
  }
  plain_product(left(decoder.at(p.attend_k.weight), a, a), f.basis, columns, f.keys);
  plain_product(left(decoder.at(p.attend_v.weight), a, a), f.basis, columns, f.values);
  const float scale = 1.0f / std::sqrt(float(width));
  for (Index i = 0; i < a * row; ++i) f.keys[i] *= scale;
  for (Index i = 0; i < a; ++i) f.values[i * row + rank] += decoder.at(p.attend_v.bias)[i];

  std::fill_n(f.score_rows, rows * padded(a), 0.0f);
  std::copy_n(decoder.at(p.attend_out.bias), a, f.out_bias);
  for (Index h = 0; h < s.heads; ++h) {
    const Index first = h * width;
    const float *keys = f.keys + first * row, *q = decoder.at(p.attend_q.weight) + first * a;
    // Rows of attention.q are read beyond their end, which is the next row or the bias; only padding sees it.
    rows_product({keys, rank, 1, row, 1, width, 0}, q, a, kPanel, a, f.score_rows + h * rank * padded(a), padded(a));
    for (Index j = 0; j < rank; ++j) {
      float sum = dot(f.score_rows + (h * rank + j) * padded(a), query_bias, a);
      for (Index i = 0; i < width; ++i) sum += keys[i * row + j] * decoder.at(p.attend_q.bias)[first + i];
      f.score_bias[h * rank + j] = sum;
    }
    plain_product({decoder.at(p.attend_out.weight) + first, a, a, 1, 1, width, 0}, f.values + first * row, columns,
                  f.head_out);
    for (Index i = 0; i < a; ++i) {
      std::copy_n(f.head_out + i * row, rank, f.out + i * padded(rows) + h * rank);
      f.out_bias[i] += f.head_out[i * row + rank];
    }
  }
  plain_product({f.score_rows, rows, padded(a), 1, 1, a, 0}, decoder.query_mesh, s.query_inputs(), f.scores);
}

// From the gradient of score_map to those of attention.q, of query and of the keys.
HWY_INLINE void score_map_gradient(const PackedDecoder& decoder, const AttentionFold& f, const float* query_bias,
                                   const CaseGradients& sums, const FoldBuffers& b, const GradientLayout& at,
                                   float* weights) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const Index a = s.attention_width, a_row = padded(a), width = s.head_width(), rank = s.token_rank(),
              row = padded(AttentionFold::basis_columns(s)), rows = s.head_rows(), mesh = s.query_inputs();
  plain_product({sums.score_map, rows, padded(mesh), 1, 1, mesh, 0}, decoder.query_mesh_transposed, a, b.score_rows);
  rows_product({f.score_rows, a, 1, a_row, 1, rows, 0}, sums.score_map, padded(mesh), kPanel, mesh,
               weights + at.query.weight, padded(mesh));
  for (Index j = 0; j < rows; ++j) {
    add_scaled(sums.score_bias[j], query_bias, a, b.score_rows + j * a_row);
    add_scaled(sums.score_bias[j], f.score_rows + j * a_row, a, sums.query_bias);
  }
  const float scale = 1.0f / std::sqrt(float(width));
  for (Index h = 0; h < s.heads; ++h) {
    const float *head_rows = b.score_rows + h * rank * a_row, *head_bias = sums.score_bias + h * rank;
    rows_product({f.keys + h * width * row, width, row, 1, 1, rank, 0}, head_rows, a_row, kPanel, a,
                 weights + at.attend_q.weight + h * width * a_row, a_row);
    for (Index i = h * width; i < (h + 1) * width; ++i) {
      const float *q = decoder.at(p.attend_q.weight) + i * a, q_bias = decoder.at(p.attend_q.bias)[i];
      for (Index j = 0; j < rank; ++j)
        b.keys[i * row + j] = scale * (dot(q, head_rows + j * a_row, a) + q_bias * head_bias[j]);
      weights[at.attend_q.bias + i] += dot(f.keys + i * row, head_bias, rank);
    }
  }
}

// From the gradient of out_map to those of attention.out and of the values.
HWY_INLINE void out_map_gradient(const PackedDecoder& decoder, const AttentionFold& f, const CaseGradients& sums,
                                 const FoldBuffers& b, const GradientLayout& at, float* weights) {
  const FluidSplatSpec& s = decoder.shape();
  const Index a = s.attention_width, a_row = padded(a), width = s.head_width(), rank = s.token_rank(),
              columns = AttentionFold::basis_columns(s), row = padded(columns), all = s.heads * columns;
  for (Index i = 0; i < a; ++i)
    for (Index h = 0; h < s.heads; ++h) {
      float* out = b.out + i * padded(all) + h * columns;
      *std::copy_n(sums.out_map + i * padded(s.head_rows()) + h * rank, rank, out) = sums.out_bias[i];
    }
  std::fill_n(b.values_transposed, all * a_row, 0.0f);
  for (Index i = 0; i < a; ++i)
    for (Index j = 0; j < columns; ++j)
      b.values_transposed[(i / width * columns + j) * a_row + i] = f.values[i * row + j];
  rows_product({b.out, a, padded(all), 1, 1, all, 0}, b.values_transposed, a_row, kPanel, a,
               weights + at.attend_out.weight, a_row);
  add_scaled(1.0f, sums.out_bias, a, weights + at.attend_out.bias);
  plain_product(left_transposed(decoder.at(decoder.parameters().attend_out.weight), a, a), b.out, all,
                b.values_by_head);
  for (Index i = 0; i < a; ++i)
    std::copy_n(b.values_by_head + i * padded(all) + i / width * columns, columns, b.values + i * row);
}

// From the tiles' gradients of score_map and out_map to those of the weights and z.  A bias of the keys only adds what
// the softmax does not see: its gradient stays zero.
HWY_INLINE void fold_attention_gradient(const PackedDecoder& decoder, const AttentionFold& f, const float* query_bias,
                                        const CaseInput& input, const CaseGradients& sums, const FoldBuffers& b,
                                        const GradientLayout& at, float* weights, float* context_gradient) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const Index a = s.attention_width, a_row = padded(a), t = s.token_columns(), rank = s.token_rank(),
              columns = AttentionFold::basis_columns(s), row = padded(columns);
  score_map_gradient(decoder, f, query_bias, sums, b, at, weights);
  folded_columns_gradient(decoder, p.query, s.query_inputs(), s.context, input.context, sums.query_bias,
                          weights + at.query_context, weights + at.query.bias, context_gradient);
  out_map_gradient(decoder, f, sums, b, at, weights);
  for (Index i = 0; i < a; ++i) {
    weights[at.attend_v.bias + i] += b.values[i * row + rank];
    for (Index j = 0; j < columns; ++j) b.basis_transposed[j * a_row + i] = f.basis[i * row + j];
  }
  std::fill_n(b.basis, a * row, 0.0f);
  const auto through_basis = [&](const LinearParameters& w, const float* gradient, Index weight) HWY_ATTR {
    rows_product({gradient, a, row, 1, 1, columns, 0}, b.basis_transposed, a_row, kPanel, a, weights + weight, a_row);
    rows_product(left_transposed(decoder.at(w.weight), a, a), gradient, row, kPanel, columns, b.basis, row);
  };
  through_basis(p.attend_k, b.keys, at.attend_k.weight);
  through_basis(p.attend_v, b.values, at.attend_v.weight);
  for (Index i = 0; i < a; ++i) {
    add_scaled(1.0f, b.basis + i * row, t, weights + at.token.weight + i * padded(t));
    b.global[i] = s.global_token ? b.basis[i * row + t] : 0.0f;
    weights[at.token.bias + i] += b.basis[i * row + rank] - b.global[i];
  }
  if (s.global_token)
    folded_columns_gradient(decoder, p.global, 0, s.context, input.context, b.global, weights + at.global.weight,
                            weights + at.global.bias, context_gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_
