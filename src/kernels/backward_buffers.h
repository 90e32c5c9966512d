// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

// Gradients of what a case's queries share, summed over some of its tiles.
struct CaseGradients {
  CaseGradients(const DecoderShape& shape, Carver& carver);
  float *query_bias, *mesh_q_bias;  // [A]
  float* mlp_bias;                  // [rows of mlp.0]
  float* modulation;                // [L][2][H]
  float *keys, *values;  // [h][K + global][padded(head width)]; keys without the factor 1 / sqrt(head width)
  float* moments;        // [K][moment_count]
  float* begin;          // all of the above is one run of `size` floats
  std::size_t size;
};

// One thread's memory for the gradient of CaseState::fold: rows of tokens, with padded strides.
struct FoldBuffers {
  FoldBuffers(const DecoderShape& shape, Carver& carver);
  float *keys, *values, *embedded;  // [K + global][padded(A)]
  float* tokens;                    // [K][padded(T)]
};

// One thread's memory for the gradient of one tile.
struct BackwardBuffers {
  BackwardBuffers(const DecoderShape& shape, Carver& carver);

  TileBuffers forward;            // the recomputed activations
  Panels out;                     // [C]: upstream gradient of the residual
  Panels scaffold, log_mass;      // [C], [1]: gradients that reach the partition's mean and the mass
  Panels input;                   // [tile_inputs]
  Panels hidden[2];               // [H], layers alternate
  Panels r1, ffn, sum2, sum1;     // [A], [2A], [A], [A]
  Panels heads, attend_q;         // [A]
  Panels mesh;                    // [query_inputs]: what the query token adds to input's gradient
  Panels positions;               // [d]
  float* transposed;              // a tile's activations with features in lanes
  Panels scores, delta;           // one head: [kKeyBlock] gradients of scores; [1]
  float *head_q, *head_gradient;  // one head: [tile][padded(head width)], features in lanes
  float* partition;               // one tile: [1] weights of one primitive
};

}  // namespace fluidsplat::kernels
