// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/config.h"
#include "base/index.h"

namespace fluidsplat::learn {

// Everything that decides the shapes and the arithmetic of a model; docs/model.md says what each means.
struct ModelConfig {
  // From the data.
  Index dim = 2, channels = 1, features = 0, descriptors = 0, geometry_features = 0;

  Index primitives = 64;
  std::string rotation = "full";
  double scale_min = 0.01, scale_max = 0.35;

  Index context = 128;
  std::string encoder = "paper";
  Index encoder_width = 128, encoder_bands = 6;
  std::string encoder_fuse = "mlp";
  bool geometry = false;

  Index bands = 6;
  bool attention = true;
  Index attention_width = 64, heads = 4;
  bool global_token = true, state_features = true;
  Index layers = 3, width = 192;
  std::string activation = "gelu";
  double omega = 3.0;
  double modulation_gain = 0.0;
  std::string output = "full";

  // Registers the keys a user sets, as model.*; the sizes that come from the data are not among them.
  void bind(Config& config);
  // Throws Error for combinations that make no sense.
  void check() const;

  Index query_inputs() const { return dim * (1 + 2 * bands) + features; }
  Index rotation_parameters() const { return rotation == "axis" ? 0 : dim == 2 ? 1 : 4; }
  Index parameters_per_primitive() const { return 2 * dim + rotation_parameters() + 1 + channels; }
  Index token_length() const { return 2 * dim + (rotation == "axis" ? 0 : dim == 2 ? 2 : 6) + 1 + channels; }
  bool has_decoder() const { return output != "primitive"; }
};

nlohmann::json to_json(const ModelConfig& config);
ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& where);

}  // namespace fluidsplat::learn
