// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The fused decoder: (z, primitives, queries, query features) -> fields, tile by tile.  No array of size queries x
// primitives exists; nothing here allocates but the constructors of workspaces.
#pragma once

#include <vector>

#include "base/index.h"
#include "kernels/case_state.h"
#include "kernels/layer_directions.h"
#include "kernels/packed_decoder.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

// Where a field is wanted.  Positions are in the unit box, features are normalised.
struct QueryPoints {
  const float* positions = nullptr;  // [count][d]; may be null when `cached` is given
  const float* features = nullptr;   // [count][F]; null when F = 0
  Index count = 0;
  const float* cached = nullptr;  // what cache_query_inputs() wrote, or null
};

// The mesh-only part of the computation, for points that are used again and again.
Index query_cache_size(const FluidSplatSpec& shape, Index count);
void cache_query_inputs(const FluidSplatSpec& shape, const QueryPoints& points, float* cache);

// Results in the model's normalised units; a null pointer is not written.
struct FieldOutputs {
  float* field = nullptr;      // [count][C]
  float* primitive = nullptr;  // [count][C]: the scaffold alone
  float* log_mass = nullptr;   // [count]
  float* hidden = nullptr;     // [count][H]: the decoder's last hidden layer; needs a decoder
  // [count]: the root mean square of the directions' products with that layer and a one; needs a decoder and them.
  float* length = nullptr;
  const LayerDirections* directions = nullptr;
};

// Memory for forward(): the same whatever the number of queries.
class ForwardWorkspace {
 public:
  ForwardWorkspace(const FluidSplatSpec& shape, int threads);
  int threads() const { return int(tiles_.size()); }
  const TileBuffers& tile(int thread) const { return tiles_[thread]; }
  Index bytes() const { return storage_.size() * sizeof(float); }

 private:
  Buffer storage_;
  std::vector<TileBuffers> tiles_;
};

// One case of a batch.
struct ForwardCase {
  const CaseState* state = nullptr;
  QueryPoints points;
  FieldOutputs out;
};

// Tiles of all cases are shared out among the workspace's threads.  Every query's result depends on that query alone,
// so it has the same bits for any number of threads and any batch.
void forward(const PackedDecoder& decoder, const ForwardCase* cases, Index case_count,
             const ForwardWorkspace& workspace);

}  // namespace fluidsplat::kernels
