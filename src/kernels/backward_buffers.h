// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

// Gradients of what a case's queries share, summed over some of its tiles.
struct CaseGradients {
  CaseGradients(const FluidSplatSpec& shape, Carver& carver);
  float* query_bias;                         // [A]
  float *score_map, *score_bias;             // [h token rank][padded(query_inputs)], [h token rank]: to base e
  float *out_map, *out_bias;                 // [A][padded(h token rank)], [A]
  float* mlp_bias;                           // [rows of mlp.0]
  float* modulation;                         // [L][2][H]
  float *tokens_by_score, *tokens_by_value;  // [K][padded(T)]; the first to base 2
  float* moments;                            // [K][moment_count]
  float* begin;                              // all of the above is one run of `size` floats
  Index size;
};

// One thread's memory for the gradient of CaseState::fold; rows are padded.  B is the number of columns of
// AttentionFold::basis.
struct FoldBuffers {
  FoldBuffers(const FluidSplatSpec& shape, Carver& carver);
  float *basis_transposed, *values_transposed;  // [B][A]; [h B][A], zero but for each head's own columns
  float *out, *values_by_head;                  // [A][h B]
  float* score_rows;                            // [h token rank][A]
  float *keys, *values, *basis;                 // [A][B]
  float *global, *token;                        // [A], [T]
};

// One thread's memory for the gradient of one tile.
struct BackwardBuffers {
  BackwardBuffers(const FluidSplatSpec& shape, Carver& carver);

  TileBuffers forward;            // the recomputed activations
  Panels out;                     // [C]: upstream gradient of the residual
  Panels scaffold, log_mass;      // [C], [1]: gradients that reach the partition's mean and the mass
  Panels input;                   // [tile_inputs]
  Panels hidden[2];               // [H], layers alternate
  Panels attended, ffn;           // [A], [2A]
  Panels sum1, sum2;              // [A]: of what norm1 and norm2 normalise
  Panels heads, attend_q;         // [h token rank]
  Panels mesh;                    // [query_inputs]: what the query token adds to input's gradient
  Panels positions;               // [d]
  float* transposed;              // a tile's activations with features in lanes
  Panels scores, delta;           // one head: [kKeyBlock] gradients of scores; [1]
  float *head_q, *head_gradient;  // one head: [tile][padded(T)], features in lanes
  float* partition;               // one tile: [1] weights of one primitive
};

}  // namespace fluidsplat::kernels
