// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"
#include "kernels/parameters.h"

namespace fluidsplat::kernels {

// A weight matrix that tiles of queries are multiplied with, and its transpose for gradients.
struct TileMatrix {
  PackedView forward, backward;
};

// The decoder's weights in the order the kernels read them.  set() may be called again with new weights and
// does not allocate; between calls the object is constant and any number of threads may read it.
class PackedDecoder {
 public:
  PackedDecoder(const DecoderShape& shape, bool for_gradients);
  PackedDecoder(PackedDecoder&&) = default;
  PackedDecoder& operator=(PackedDecoder&&) = default;
  // Copies the flat parameters (see Parameters).
  void set(const float* flat);

  const DecoderShape& shape() const { return shape_; }
  const Parameters& parameters() const { return parameters_; }
  bool for_gradients() const { return for_gradients_; }
  const float* at(std::size_t offset) const { return flat_.data() + offset; }

  // query: its mesh columns alone.  mlp[0]: its tile inputs alone, in tile order; see
  // DecoderShape::tile_inputs.  mesh_q: attend_q times query's mesh columns; nothing nonlinear lies between
  // the two, and mesh inputs are far fewer than features of the query token.
  TileMatrix query, mesh_q, attend_out, ffn0, ffn1;
  std::vector<TileMatrix> mlp;
  // Plain matrices with padded rows, which tokens are multiplied with from the left:
  // transposes [in][padded(out)] for folding, originals [out][padded(in)] for gradients.
  const float *token_transposed = nullptr, *key_transposed = nullptr, *value_transposed = nullptr;
  const float *token = nullptr, *key = nullptr, *value = nullptr;

 private:
  // Lays every matrix out in memory; with `fill` also copies the weights.
  void arrange(Carver carver, bool fill);
  DecoderShape shape_;
  bool for_gradients_;
  Parameters parameters_;
  Buffer flat_, storage_;
};

}  // namespace fluidsplat::kernels
