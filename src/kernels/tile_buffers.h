// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"
#include "kernels/spec.h"

namespace fluidsplat::kernels {

// Panels that go through the decoder together; see product-inl.h for what a panel is.
inline constexpr Index kTilePanels = 4;
// Keys whose scores are in memory at a time; a block of scores of one panel fits the first-level cache.
inline constexpr Index kKeyBlock = 128;
constexpr Index key_blocks(Index keys) {
  return (keys + kKeyBlock - 1) / kKeyBlock;
}
// Blocks are nearly equal in size, each a multiple of the packed row count.
constexpr Index key_block_size(Index keys) {
  return round_up((keys + key_blocks(keys) - 1) / key_blocks(keys), kPackRows);
}

// Queries in one panel, for the instruction set in use.
Index panel_width();
inline Index tile_width() {
  return kTilePanels * panel_width();
}

// Activations of a tile: [panel][feature][query in panel], panels `stride` floats apart.
struct Panels {
  float* data = nullptr;
  Index rows = 0;  // features
  Index stride = 0;
  float* panel(Index i) const { return data + i * stride; }
};
// Memory for a tile's panels of `rows` features.
Panels take_panels(Carver& carver, Index rows);

// A layer normalisation's own numbers.
struct NormPanels {
  Panels normal;  // [A]: (x - mean) / deviation
  Panels scale;   // [1]: 1 / deviation
};

// One thread's activations for one tile.  With `keep` nothing that the gradient needs is overwritten; without, layers
// alternate between two buffers.
struct TileBuffers {
  TileBuffers(const FluidSplatSpec& shape, bool keep, Carver& carver);

  Panels input;                         // [tile_inputs]: state, attention result, query inputs
  Panels scaffold, log_mass;            // [C]: the partition's mean amplitude; [1]
  Panels query;                         // [A]: the query token
  Panels attend_q, heads;               // [h][token rank]: a head's query, and the tokens' weighted mean
  Panels head_log_sum;                  // [h]: log2 of each head's softmax denominator
  Panels kept_weights, kept_max;        // [h][keys], [h][key blocks]: see attention_forward; only with `keep`
  NormPanels norm1;                     // of query token plus attention
  Panels attended;                      // [A]: its result
  Panels ffn_pre, ffn_post, ffn_slope;  // [2A]
  NormPanels norm2;                     // of `attended` plus the small MLP; its result is in `input`
  // [H] before and after each layer's activation, and its derivative.  Derivatives exist only with `keep`; where
  // nothing needs `pre` any more, they take its place.
  std::vector<Panels> pre, post, slope;
  Panels out;                                 // [C]: the residual
  float *scores, *softmax_max, *softmax_sum;  // one panel: [kKeyBlock], [1], [1]
};

}  // namespace fluidsplat::kernels
