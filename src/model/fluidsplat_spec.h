// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/spec.h"

namespace fluidsplat::model {

enum class Rotation { kFull, kAxis };
enum class TokenKind { kPaper, kLinear };  // readings through an MLP, or entering linearly
enum class Fuse { kMlp, kLinear };
enum class Activation { kGelu, kSine };
enum class Output { kFull, kResidual, kPrimitive };

// FluidSplat (docs/model.md says what each setting means).  The training world, the kernels and the runtime all build
// from this one description.
class FluidSplatSpec : public Spec {
 public:
  static constexpr const char* kKind = "fluidsplat";

  Index primitives = 64;
  Rotation rotation = Rotation::kFull;
  double scale_min = 0.01, scale_max = 0.35;

  Index context = 128;
  TokenKind encoder = TokenKind::kPaper;
  Index encoder_width = 128, encoder_bands = 6;
  Fuse encoder_fuse = Fuse::kMlp;
  bool geometry = false;

  Index bands = 6;
  bool attention = true;
  Index attention_width = 64, heads = 4;
  bool global_token = true, state_features = true;
  Index layers = 3, width = 192;
  Activation activation = Activation::kGelu;
  double omega = 3.0;
  double modulation_gain = 0.0;
  Output output = Output::kFull;

  std::string kind() const override { return kKind; }
  std::unique_ptr<Spec> clone() const override { return std::make_unique<FluidSplatSpec>(*this); }
  void bind(Config& config) override;
  void check() const override;
  std::string describe() const override;
  void fit_to(const Schema& schema) override;

  // ---- which parts there are
  bool full_rotation() const { return rotation == Rotation::kFull; }
  bool linear_encoder() const { return encoder == TokenKind::kLinear; }
  bool linear_fuse() const { return encoder_fuse == Fuse::kLinear; }
  bool has_decoder() const { return output != Output::kPrimitive; }
  bool attends() const { return has_decoder() && attention; }
  bool modulated() const { return has_decoder() && modulation_gain > 0 && descriptors > 0; }

  // ---- widths of the encoder
  Index sensor_fourier() const { return dim * (1 + 2 * encoder_bands); }
  Index place_inputs() const { return sensor_fourier() + channels; }
  Index pooled_sensors() const { return linear_encoder() ? encoder_width : 2 * encoder_width; }
  Index pooled_geometry() const { return geometry ? 2 * encoder_width : 0; }
  Index fuse_inputs() const { return pooled_sensors() + pooled_geometry() + descriptors; }

  // ---- columns of a primitive
  // As the kernels take it: centre, scales, rotation matrix (rows are axes; none when axis-aligned), log weight,
  // amplitude.
  Index rotation_columns() const { return full_rotation() ? dim * dim : 0; }
  Index primitive_columns() const { return 2 * dim + rotation_columns() + 1 + channels; }
  // As the head gives it, where a rotation is an angle or a quaternion.
  Index head_rotation_columns() const { return !full_rotation() ? 0 : dim == 2 ? 1 : 4; }
  Index head_columns() const { return 2 * dim + head_rotation_columns() + 1 + channels; }
  Index head_outputs() const { return primitives * head_columns(); }
  // As attention sees it, where a rotation is (cos, sin) of twice the angle or two rows of its matrix.
  Index token_columns() const { return 2 * dim + (!full_rotation() ? 0 : dim == 2 ? 2 : 6) + 1 + channels; }

  // ---- attention
  Index tokens() const { return primitives + (global_token ? 1 : 0); }
  Index head_width() const { return attention_width / heads; }
  // Keys and values are linear in a few numbers: a token's columns and, for the global token, a one of its own.
  Index token_rank() const { return token_columns() + (global_token ? 1 : 0); }
  Index head_rows() const { return heads * token_rank(); }

  // ---- inputs of the residual MLP
  Index fourier() const { return dim * (1 + 2 * bands); }
  // What depends on the mesh alone: Fourier features and query features.
  Index query_inputs() const { return fourier() + features; }
  Index state_inputs() const { return state_features && has_decoder() ? channels + 1 : 0; }
  Index attention_inputs() const { return attends() ? attention_width : 0; }
  // Those that differ between queries of one case; in tiles their order is state, attention, query, because backward
  // often needs gradients of the first two alone.
  Index tile_inputs() const { return state_inputs() + attention_inputs() + query_inputs(); }
};

}  // namespace fluidsplat::model
