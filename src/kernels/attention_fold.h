// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "kernels/buffer.h"
#include "kernels/packed_decoder.h"

namespace fluidsplat::kernels {

// Attention in the space of tokens.  Nothing nonlinear lies between the tokens' few columns t and keys or values, nor
// between the mesh inputs v and a head's query, nor between a head's result and attention.out:
//
//   key = K (token.weight t + token.bias) + bias,   query = Q (query.weight v + q0) + bias
//
// so a head's score is t' S v + t' s plus a number that all keys share, which no softmax sees, and what it contributes
// after attention.out is O sum(p t), p being the softmax's weights.  S, s and O are small and made once per case; per
// query and key a head costs as many products as a token has columns, not as a head is wide, and all heads read the
// same tokens.  The global token is embedded in another way: S has a row and O a column for it alone, the last of each
// head.
struct AttentionFold {
  // Takes memory for everything below from `carver`.
  void arrange(const FluidSplatSpec& shape, bool for_gradients, Carver& carver);
  void set_tokens(const FluidSplatSpec& shape, const float* primitives);
  // score_map and out_map in the tiles' order.
  void pack_maps(const FluidSplatSpec& shape);

  // What tiles read.  Scores are to base 2, score_map.backward (only for gradients) is to base e.
  TileMatrix score_map;          // [h token rank][query_inputs]
  float* score_bias = nullptr;   // [h token rank]
  TileMatrix out_map;            // [A][h token rank]
  float* out_bias = nullptr;     // [A]
  PackedView tokens;             // [K][T]
  PackedView tokens_transposed;  // each block of keys is a packed matrix of its own

  // Columns of a basis that embedded tokens are combinations of: token.weight's, the embedded global token without
  // token.bias, and token.bias.
  static Index basis_columns(const FluidSplatSpec& shape) { return shape.token_rank() + 1; }
  // Plain matrices with padded rows; B is basis_columns.
  float* basis = nullptr;       // [A][B]
  float* keys = nullptr;        // [A][B]: attention.k times basis, times 1 / sqrt(head width)
  float* values = nullptr;      // [A][B]: attention.v times basis; its bias is in the last column
  float* score_rows = nullptr;  // [h token rank][A]: each head's keys, transposed, times attention.q
  float* scores = nullptr;      // [h token rank][query_inputs]: score_map
  float* head_out = nullptr;    // [A][B]: one head's columns of attention.out times its values
  float* out = nullptr;         // [A][h token rank]: out_map
  float* global = nullptr;      // [A]: the embedded global token
  float* token_rows = nullptr;  // [K][T]

 private:
  float *packed_scores_ = nullptr, *packed_scores_backward_ = nullptr;
  float *packed_out_ = nullptr, *packed_out_backward_ = nullptr;
  float *packed_tokens_ = nullptr, *packed_tokens_transposed_ = nullptr;
};

}  // namespace fluidsplat::kernels
