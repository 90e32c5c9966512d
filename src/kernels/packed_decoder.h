// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/buffer.h"
#include "kernels/packed_matrix.h"
#include "kernels/parameters.h"

namespace fluidsplat::kernels {

// A weight matrix that tiles of queries are multiplied with, and its transpose for gradients.
struct TileMatrix {
  PackedView forward = {}, backward = {};
};

// The decoder's weights in the order the kernels read them.  set() may be called again with new weights and does not
// allocate; between calls the object is constant and any number of threads may read it.
class PackedDecoder {
 public:
  PackedDecoder(const FluidSplatSpec& shape, bool for_gradients);
  PackedDecoder(PackedDecoder&&) = default;
  PackedDecoder& operator=(PackedDecoder&&) = default;
  // Copies the flat parameters (see Parameters).
  void set(const float* flat);

  const FluidSplatSpec& shape() const { return shape_; }
  const Parameters& parameters() const { return parameters_; }
  bool for_gradients() const { return for_gradients_; }
  const float* at(Index offset) const { return flat_.data() + offset; }
  MatrixView weight(const LinearParameters& p) const { return MatrixView::dense(at(p.weight), p.rows, p.cols); }

  // query: its mesh columns alone.  mlp[0]: its tile inputs alone, in tile order; see FluidSplatSpec::tile_inputs.
  // attention.q, .k, .v and .out are not here: tiles see them through AttentionFold.
  TileMatrix query, ffn0, ffn1;
  std::vector<TileMatrix> mlp;
  // query's mesh columns with padded rows [A][padded(query_inputs)] and, only for gradients, their transpose
  // [query_inputs][padded(A)].
  const float *query_mesh = nullptr, *query_mesh_transposed = nullptr;

 private:
  // Lays every matrix out in memory; with `fill` also copies the weights.
  void arrange(Carver carver, bool fill);
  FluidSplatSpec shape_;
  bool for_gradients_;
  Parameters parameters_;
  Buffer flat_, storage_;
};

}  // namespace fluidsplat::kernels
