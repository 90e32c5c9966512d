// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/case_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/primitive_maps.h"
#include "kernels/tile_buffers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/case_state.cpp"
#include <hwy/foreach_target.h>

#include "kernels/dot-inl.h"
#include "kernels/product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

// out[i] = bias[i] + columns [first, first + n) of row i times x.
void fold_columns(const PackedDecoder& decoder, const LinearParameters& p, size_t first, size_t n,
                  const float* x, float* out) {
  for (size_t i = 0; i < p.rows; ++i)
    out[i] = decoder.at(p.bias)[i] + dot(decoder.at(p.weight) + i * p.cols + first, x, n);
}

// y[rows][padded(A)] = x transposed_weight + bias.
void fold_rows(size_t rows, size_t depth, const float* x, const float* transposed, const float* bias,
               size_t width, float* y) {
  const size_t stride = padded(width);
  for (size_t j = 0; j < rows; ++j) std::copy_n(bias, width, y + j * stride);
  rows_product({x, rows, padded(depth), 1, 1, depth, 0}, transposed, stride, kPanel, width, y, stride);
}

void fold_for_target(const PackedDecoder& decoder, const CaseInput& input, CaseState& state) {
  const DecoderShape& s = decoder.shape();
  const Parameters& p = decoder.parameters();
  fold_columns(decoder, p.mlp[0], s.query_inputs(), s.context, input.context, state.mlp_bias);
  for (size_t l = 0; l < p.modulation.size(); ++l) {
    float* out = state.modulation + l * 2 * s.width;
    fold_columns(decoder, p.modulation[l], 0, s.descriptors, input.descriptors, out);
    for (size_t i = 0; i < 2 * s.width; ++i)
      out[i] = (i < s.width ? 1.0f : 0.0f) + s.modulation_gain * std::tanh(out[i]);
  }
  if (!s.attends()) return;
  const size_t a = s.attention_width, k = s.primitives;
  fold_columns(decoder, p.query, s.query_inputs(), s.context, input.context, state.query_bias);
  fold_columns(decoder, p.attend_q, 0, a, state.query_bias, state.mesh_q_bias);
  fold_rows(k, s.token_columns(), state.tokens, decoder.token_transposed, decoder.at(p.token.bias), a,
            state.embedded);
  if (s.global_token)
    fold_columns(decoder, p.global, 0, s.context, input.context, state.embedded + k * padded(a));
  fold_rows(s.tokens(), a, state.embedded, decoder.key_transposed, decoder.at(p.attend_k.bias), a,
            state.key_rows);
  fold_rows(s.tokens(), a, state.embedded, decoder.value_transposed, decoder.at(p.attend_v.bias), a,
            state.value_rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fluidsplat::kernels {
HWY_EXPORT(fold_for_target);

CaseState::CaseState(const DecoderShape& shape, bool for_gradients)
    : shape_(shape), for_gradients_(for_gradients) {
  arrange(Carver());
  arrange(Carver(storage_.data()));
}

void CaseState::arrange(Carver carver) {
  const DecoderShape& s = shape_;
  const std::size_t width = padded(s.attention_width), tokens_count = s.tokens(), head = s.head_width();
  const bool attends = s.attends();
  gaussians = carver.take(s.primitives * gaussian_size(s.dim));
  amplitudes = carver.take(packed_size(s.channels, s.primitives));
  query_bias = carver.take(s.attention_width);
  mesh_q_bias = carver.take(s.attention_width);
  mlp_bias = carver.take(s.layers > 0 ? s.width : s.channels);
  modulation = carver.take(s.layers * 2 * s.width);
  const auto heads = [&](std::size_t rows, std::size_t cols) {
    return Heads{carver.take(s.heads * packed_size(rows, cols)), rows, cols};
  };
  if (attends) {
    tokens = carver.take(s.primitives * padded(s.token_columns()));
    embedded = carver.take(tokens_count * width);
    key_rows = carver.take(tokens_count * width);
    value_rows = carver.take(tokens_count * width);
    keys_ = heads(tokens_count, head);
    values_ = heads(head, tokens_count);
    if (for_gradients_) {
      keys_transposed_ = heads(head, tokens_count);
      values_transposed_ = heads(tokens_count, head);
    }
  }
  if (storage_.size() == 0) storage_ = Buffer(carver.used());
}

void CaseState::pack_heads() {
  const std::size_t count = shape_.tokens(), head = shape_.head_width(), row = padded(shape_.attention_width);
  const std::size_t block = key_block_size(count);
  const float scale = 1.0f / std::sqrt(static_cast<float>(head));
  const auto pack_by_blocks = [&](const float* rows, float* target) {
    for (std::size_t first = 0; first < count; first += block)
      pack(rows + first * row, head, std::min(block, count - first), 1, row,
           target + packed_size(head, first));
  };
  for (std::size_t h = 0; h < shape_.heads; ++h) {
    const float *k = key_rows + h * head, *v = value_rows + h * head;
    const std::size_t by_token = h * packed_size(count, head), by_column = h * packed_size(head, count);
    pack(k, count, head, row, 1, keys_.data + by_token);
    pack_by_blocks(v, values_.data + by_column);
    if (for_gradients_) {
      pack_by_blocks(k, keys_transposed_.data + by_column);
      pack(v, count, head, row, 1, values_transposed_.data + by_token);
    }
  }
  const auto scale_all = [&](const Heads& heads, float by) {
    for (std::size_t i = 0; heads.data && i < shape_.heads * packed_size(heads.rows, heads.cols); ++i)
      heads.data[i] *= by;
  };
  scale_all(keys_, scale * std::numbers::log2e_v<float>);
  scale_all(keys_transposed_, scale);
}

void CaseState::fold(const PackedDecoder& decoder, const CaseInput& input) {
  const std::size_t columns = shape_.primitive_columns(), k = shape_.primitives, c = shape_.channels;
  for (std::size_t i = 0; i < k; ++i) {
    const float* primitive = input.primitives + i * columns;
    primitive_gaussian(shape_, primitive, gaussians + i * gaussian_size(shape_.dim));
    if (shape_.attends()) primitive_token(shape_, primitive, tokens + i * padded(shape_.token_columns()));
  }
  pack(input.primitives + columns - c, c, k, 1, columns, amplitudes);
  if (!shape_.has_decoder()) return;
  HWY_DYNAMIC_DISPATCH(fold_for_target)(decoder, input, *this);
  if (shape_.attends()) pack_heads();
}

}  // namespace fluidsplat::kernels
#endif
