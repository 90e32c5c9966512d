// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/mlp.h"
#include "learn/model_config.h"

namespace fluidsplat::learn {

// What is known of a batch of B cases before any query is asked.  Positions are in the unit box, values normalised.
struct Observation {
  // One token per reading, padded to the longest case: [B, N, d], [B, N], [B, N] (int64), [B, N] (1 = present).
  torch::Tensor positions, values, channels, present;
  torch::Tensor descriptors;                            // [B, M]
  torch::Tensor geometry_positions, geometry_features;  // [B, G, d], [B, G, Fg]; undefined when not used
  torch::Tensor geometry_present;                       // [B, G]
};

// Unordered sensors to the context z: [B, D].  The order of the sensors does not matter, absent ones have no effect.
struct SensorEncoderImpl : torch::nn::Module {
  explicit SensorEncoderImpl(const ModelConfig& config);
  torch::Tensor forward(const Observation& observation);

 private:
  torch::Tensor pool_sensors(const Observation& observation);
  torch::Tensor pool_geometry(const Observation& observation);
  ModelConfig config_;
  Mlp token_{nullptr}, gain_{nullptr}, bias_{nullptr}, geometry_{nullptr}, fuse_{nullptr};
};
TORCH_MODULE(SensorEncoder);

// Mean over the tokens that are present, [B, N, E] and [B, N] to [B, E]; zeros where none is.
torch::Tensor masked_mean(const torch::Tensor& tokens, const torch::Tensor& present);
torch::Tensor masked_max(const torch::Tensor& tokens, const torch::Tensor& present);

}  // namespace fluidsplat::learn
