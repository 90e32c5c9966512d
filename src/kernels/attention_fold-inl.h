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

#include "kernels/context.h"
#include "kernels/folded_columns-inl.h"
#include "kernels/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// Everything but the tokens, before packing; `query_bias` is the query token's constant part.
HWY_INLINE void fold_attention(const PackedDecoder& decoder, const CaseInput& input, const float* query_bias,
                               AttentionFold& f) {
  const FluidSplatSpec& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  const Index a = s.attention_width, width = s.head_width(), rank = s.token_rank(), t = s.token_columns(),
              columns = AttentionFold::basis_columns(s), row = padded(columns), rows = s.head_rows();
  if (s.global_token) fold_columns(FoldedColumns::all(decoder, p.global, input.context), f.global);
  for (Index i = 0; i < a; ++i) {
    const float bias = decoder.at(p.token.bias)[i];
    float* out = std::copy_n(decoder.at(p.token.weight) + i * t, t, f.basis + i * row);
    if (s.global_token) *out++ = f.global[i] - bias;
    *out = bias;
  }
  const auto basis = MatrixView::padded_rows(f.basis, a, columns);
  set_product(decoder.weight(p.attend_k), basis, f.keys);
  set_product(decoder.weight(p.attend_v), basis, f.values);
  const float scale = 1.0f / std::sqrt(float(width));
  for (Index i = 0; i < a * row; ++i) f.keys[i] *= scale;
  for (Index i = 0; i < a; ++i) f.values[i * row + rank] += decoder.at(p.attend_v.bias)[i];

  const auto all_keys = MatrixView::padded_rows(f.keys, a, columns);
  const auto all_values = MatrixView::padded_rows(f.values, a, columns);
  std::copy_n(decoder.at(p.attend_out.bias), a, f.out_bias);
  for (Index h = 0; h < s.heads; ++h) {
    const Index first = h * width;
    const MatrixView keys = all_keys.some_rows(first, width).some_columns(0, rank);
    float* score_rows = f.score_rows + h * rank * padded(a);
    // Rows of attention.q are read beyond their end, which is the next row or the bias; only padding sees it.
    set_product(keys.transposed(), decoder.weight(p.attend_q).some_rows(first, width), score_rows);
    for (Index j = 0; j < rank; ++j) {
      float sum = dot(score_rows + j * padded(a), query_bias, a);
      for (Index i = 0; i < width; ++i) sum += keys(i, j) * decoder.at(p.attend_q.bias)[first + i];
      f.score_bias[h * rank + j] = sum;
    }
    set_product(decoder.weight(p.attend_out).some_columns(first, width), all_values.some_rows(first, width),
                f.head_out);
    for (Index i = 0; i < a; ++i) {
      std::copy_n(f.head_out + i * row, rank, f.out + i * padded(rows) + h * rank);
      f.out_bias[i] += f.head_out[i * row + rank];
    }
  }
  set_product(MatrixView::padded_rows(f.score_rows, rows, a),
              MatrixView::padded_rows(decoder.query_mesh, a, s.query_inputs()), f.scores);
}

// From the gradient of score_map to those of attention.q, of query and of the keys.
HWY_INLINE void score_map_backward(const FoldBackward& fold) {
  const PackedDecoder& decoder = fold.decoder;
  const FluidSplatSpec& s = fold.shape();
  const Parameters& p = decoder.parameters();
  const AttentionFold& f = fold.state.attention;
  const CaseGradients& g = fold.shared;
  const FoldBuffers& b = fold.buffers;
  const Index a = s.attention_width, a_row = padded(a), width = s.head_width(), rank = s.token_rank(),
              columns = AttentionFold::basis_columns(s), row = padded(columns), rows = s.head_rows(),
              mesh = s.query_inputs();
  const LinearSums query = fold.weights.at(fold.weights.layout.query);
  const LinearSums attend_q = fold.weights.at(fold.weights.layout.attend_q);
  const auto map_gradient = MatrixView::padded_rows(g.score_map, rows, mesh);
  set_product(map_gradient, MatrixView::padded_rows(decoder.query_mesh_transposed, mesh, a), b.score_rows);
  add_product(MatrixView::padded_rows(f.score_rows, rows, a).transposed(), map_gradient, query.weight);
  for (Index j = 0; j < rows; ++j) {
    add_scaled(g.score_bias[j], fold.state.query_bias, a, b.score_rows + j * a_row);
    add_scaled(g.score_bias[j], f.score_rows + j * a_row, a, g.query_bias);
  }
  const auto keys = MatrixView::padded_rows(f.keys, a, columns).some_columns(0, rank);
  const auto score_rows = MatrixView::padded_rows(b.score_rows, rows, a);
  const float scale = 1.0f / std::sqrt(float(width));
  for (Index h = 0; h < s.heads; ++h) {
    const MatrixView head_rows = score_rows.some_rows(h * rank, rank);
    const float* head_bias = g.score_bias + h * rank;
    add_product(keys.some_rows(h * width, width), head_rows, attend_q.weight + h * width * a_row);
    for (Index i = h * width; i < (h + 1) * width; ++i) {
      const float *q = decoder.at(p.attend_q.weight) + i * a, q_bias = decoder.at(p.attend_q.bias)[i];
      for (Index j = 0; j < rank; ++j)
        b.keys[i * row + j] = scale * (dot(q, head_rows.data + j * a_row, a) + q_bias * head_bias[j]);
      attend_q.bias[i] += dot(f.keys + i * row, head_bias, rank);
    }
  }
}

// From the gradient of out_map to those of attention.out and of the values.
HWY_INLINE void out_map_backward(const FoldBackward& fold) {
  const PackedDecoder& decoder = fold.decoder;
  const FluidSplatSpec& s = fold.shape();
  const AttentionFold& f = fold.state.attention;
  const CaseGradients& g = fold.shared;
  const FoldBuffers& b = fold.buffers;
  const Index a = s.attention_width, a_row = padded(a), width = s.head_width(), rank = s.token_rank(),
              columns = AttentionFold::basis_columns(s), row = padded(columns), all = s.heads * columns;
  const LinearSums attend_out = fold.weights.at(fold.weights.layout.attend_out);
  for (Index i = 0; i < a; ++i)
    for (Index h = 0; h < s.heads; ++h) {
      float* out = b.out + i * padded(all) + h * columns;
      *std::copy_n(g.out_map + i * padded(s.head_rows()) + h * rank, rank, out) = g.out_bias[i];
    }
  std::fill_n(b.values_transposed, all * a_row, 0.0f);
  for (Index i = 0; i < a; ++i)
    for (Index j = 0; j < columns; ++j)
      b.values_transposed[(i / width * columns + j) * a_row + i] = f.values[i * row + j];
  const auto out = MatrixView::padded_rows(b.out, a, all);
  add_product(out, MatrixView::padded_rows(b.values_transposed, all, a), attend_out.weight);
  add_scaled(1.0f, g.out_bias, a, attend_out.bias);
  set_product(decoder.weight(decoder.parameters().attend_out).transposed(), out, b.values_by_head);
  for (Index i = 0; i < a; ++i)
    std::copy_n(b.values_by_head + i * padded(all) + i / width * columns, columns, b.values + i * row);
}

// From the tiles' gradients of score_map and out_map to those of the weights and z.  A bias of the keys only adds what
// the softmax does not see: its gradient stays zero.
HWY_INLINE void fold_attention_backward(const FoldBackward& fold) {
  const PackedDecoder& decoder = fold.decoder;
  const FluidSplatSpec& s = fold.shape();
  const Parameters& p = decoder.parameters();
  const GradientLayout& layout = fold.weights.layout;
  const AttentionFold& f = fold.state.attention;
  const FoldBuffers& b = fold.buffers;
  const float* z = fold.input.context;
  const Index a = s.attention_width, a_row = padded(a), t = s.token_columns(), rank = s.token_rank(),
              columns = AttentionFold::basis_columns(s), row = padded(columns);
  score_map_backward(fold);
  fold_columns_backward(FoldedColumns::of_context(decoder, p.query, z), fold.shared.query_bias,
                        fold.weights.at(layout.query_context), fold.context_gradient);
  out_map_backward(fold);
  const LinearSums attend_k = fold.weights.at(layout.attend_k), attend_v = fold.weights.at(layout.attend_v),
                   token = fold.weights.at(layout.token);
  for (Index i = 0; i < a; ++i) {
    attend_v.bias[i] += b.values[i * row + rank];
    for (Index j = 0; j < columns; ++j) b.basis_transposed[j * a_row + i] = f.basis[i * row + j];
  }
  std::fill_n(b.basis, a * row, 0.0f);
  const auto through_basis = [&](const LinearParameters& map, const float* map_gradient, float* weight) HWY_ATTR {
    const auto gradient = MatrixView::padded_rows(map_gradient, a, columns);
    add_product(gradient, MatrixView::padded_rows(b.basis_transposed, columns, a), weight);
    add_product(decoder.weight(map).transposed(), gradient, b.basis);
  };
  through_basis(p.attend_k, b.keys, attend_k.weight);
  through_basis(p.attend_v, b.values, attend_v.weight);
  for (Index i = 0; i < a; ++i) {
    add_scaled(1.0f, b.basis + i * row, t, token.weight + i * padded(t));
    b.global[i] = s.global_token ? b.basis[i * row + t] : 0.0f;
    token.bias[i] += b.basis[i * row + rank] - b.global[i];
  }
  if (s.global_token)
    fold_columns_backward(FoldedColumns::all(decoder, p.global, z), b.global, fold.weights.at(layout.global),
                          fold.context_gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_ATTENTION_FOLD_INL_H_
