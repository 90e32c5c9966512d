// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::kernels {

enum class Activation { kGelu, kSine };
enum class Output { kFull, kResidual, kPrimitive };

// The sizes and switches of everything after the primitive head (docs/model.md).
struct DecoderShape {
  Index dim = 2, channels = 1, features = 0, descriptors = 0;
  Index primitives = 64, context = 128, bands = 6;
  bool full_rotation = true;
  bool attention = true, global_token = true, state_features = true;
  Index attention_width = 64, heads = 4;
  Index layers = 3, width = 192;
  Activation activation = Activation::kGelu;
  float omega = 3.0f;
  float modulation_gain = 0.0f;
  Output output = Output::kFull;

  bool has_decoder() const { return output != Output::kPrimitive; }
  bool attends() const { return has_decoder() && attention; }
  bool modulated() const { return has_decoder() && modulation_gain > 0 && descriptors > 0 && layers > 0; }
  // Columns of a primitive: centre, scales, rotation matrix (rows are axes; none when axis-aligned), log weight,
  // amplitude.
  Index rotation_columns() const { return full_rotation ? dim * dim : 0; }
  Index primitive_columns() const { return 2 * dim + rotation_columns() + 1 + channels; }
  // Columns of the head's raw output for one primitive, where a rotation is an angle or a quaternion.
  Index head_rotation_columns() const { return !full_rotation ? 0 : dim == 2 ? 1 : 4; }
  Index head_columns() const { return 2 * dim + head_rotation_columns() + 1 + channels; }
  // Columns of a primitive's token, where a rotation is (cos, sin) of twice the angle or two rows of its matrix.
  Index token_columns() const { return 2 * dim + (!full_rotation ? 0 : dim == 2 ? 2 : 6) + 1 + channels; }
  Index tokens() const { return primitives + (global_token ? 1 : 0); }
  Index head_width() const { return attention_width / heads; }
  // Keys and values are linear in a few numbers: a token's columns and, for the global token, a one of its own.
  Index token_rank() const { return token_columns() + (global_token ? 1 : 0); }
  Index head_rows() const { return heads * token_rank(); }
  Index fourier() const { return dim * (1 + 2 * bands); }
  // Rows of what depends on the mesh alone: Fourier features and query features.
  Index query_inputs() const { return fourier() + features; }
  Index state_inputs() const { return state_features && has_decoder() ? channels + 1 : 0; }
  Index attention_inputs() const { return attends() ? attention_width : 0; }
  // Inputs of the residual MLP that differ between queries of one case; in tiles their order is state, attention,
  // query, because backward often needs gradients of the first two alone.
  Index tile_inputs() const { return state_inputs() + attention_inputs() + query_inputs(); }
};

}  // namespace fluidsplat::kernels
