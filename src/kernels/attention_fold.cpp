// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_fold.h"

#include <algorithm>
#include <numbers>

#include "kernels/primitive_maps.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

void AttentionFold::arrange(const FluidSplatSpec& s, bool for_gradients, Carver& carver) {
  if (!s.attends()) return;
  const Index a = s.attention_width, rows = s.head_rows();
  const Index mesh = s.query_inputs(), k = s.primitives, t = s.token_columns();
  const auto plain = [&](Index n, Index cols) { return carver.take(n * padded(cols)); };
  const auto packed = [&](float*& data, Index n, Index cols) {
    data = carver.take(packed_size(n, cols));
    return PackedView::whole(data, n, cols);
  };
  basis = plain(a, basis_columns(s)), keys = plain(a, basis_columns(s)), values = plain(a, basis_columns(s));
  score_rows = plain(rows, a), scores = plain(rows, mesh);
  head_out = plain(a, basis_columns(s)), out = plain(a, rows);
  global = plain(1, a), token_rows = plain(k, t);
  score_bias = plain(1, rows), out_bias = plain(1, a);
  tokens = packed(packed_tokens_, k, t);
  tokens_transposed = packed(packed_tokens_transposed_, t, k);
  score_map.forward = packed(packed_scores_, rows, mesh);
  out_map.forward = packed(packed_out_, a, rows);
  if (!for_gradients) return;
  score_map.backward = packed(packed_scores_backward_, mesh, rows);
  out_map.backward = packed(packed_out_backward_, rows, a);
}

void AttentionFold::set_tokens(const FluidSplatSpec& s, const float* primitives) {
  const Index k = s.primitives, t = s.token_columns(), row = padded(t);
  for (Index i = 0; i < k; ++i) primitive_token(s, primitives + i * s.primitive_columns(), token_rows + i * row);
  const auto rows = MatrixView::padded_rows(token_rows, k, t);
  pack(rows, packed_tokens_);
  const Index block = key_block_size(s.tokens());
  for (Index first = 0; first < k; first += block)
    pack(rows.some_rows(first, std::min(block, k - first)).transposed(),
         packed_tokens_transposed_ + packed_size(t, first));
}

void AttentionFold::pack_maps(const FluidSplatSpec& s) {
  const Index rows = s.head_rows(), mesh = s.query_inputs();
  const auto out_rows = MatrixView::padded_rows(out, s.attention_width, rows);
  const auto score_rows = MatrixView::padded_rows(scores, rows, mesh);
  pack(out_rows, packed_out_);
  if (packed_out_backward_) pack(out_rows.transposed(), packed_out_backward_);
  if (packed_scores_backward_) pack(score_rows.transposed(), packed_scores_backward_);
  pack(score_rows, packed_scores_);
  for (Index i = 0; i < packed_size(rows, mesh); ++i) packed_scores_[i] *= std::numbers::log2e_v<float>;
  for (Index i = 0; i < rows; ++i) score_bias[i] *= std::numbers::log2e_v<float>;
}

}  // namespace fluidsplat::kernels
