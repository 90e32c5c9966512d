// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/fluidsplat/mlp.h"
#include "learn/model/observation.h"
#include "model/fluidsplat_spec.h"

namespace fluidsplat::learn {

// Unordered sensors to the context z: [B, D].  The order of the sensors does not matter, absent ones have no effect.
struct SensorEncoderImpl : torch::nn::Module {
  explicit SensorEncoderImpl(const model::FluidSplatSpec& spec);
  torch::Tensor forward(const Observation& observation);

 private:
  torch::Tensor pool_sensors(const Observation& observation);
  torch::Tensor pool_geometry(const Observation& observation);
  model::FluidSplatSpec spec_;
  Mlp token_{nullptr}, gain_{nullptr}, bias_{nullptr}, geometry_{nullptr}, fuse_{nullptr};
};
TORCH_MODULE(SensorEncoder);

// Mean over the tokens that are present, [B, N, E] and [B, N] to [B, E]; zeros where none is.
torch::Tensor masked_mean(const torch::Tensor& tokens, const torch::Tensor& present);
torch::Tensor masked_max(const torch::Tensor& tokens, const torch::Tensor& present);

}  // namespace fluidsplat::learn
