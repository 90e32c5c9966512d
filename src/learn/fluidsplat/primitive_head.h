// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "model/fluidsplat_spec.h"

namespace fluidsplat::learn {

// K Gaussians for each of B cases.
struct Primitives {
  torch::Tensor centre;      // [B, K, d], in the unit box
  torch::Tensor scale;       // [B, K, d]
  torch::Tensor rotation;    // [B, K, d, d], rows are the principal axes; undefined when axis-aligned
  torch::Tensor log_weight;  // [B, K]
  torch::Tensor amplitude;   // [B, K, C], normalised units
};

// z to primitives: one linear map and the squashing functions that keep centres in the domain and scales in range.
struct PrimitiveHeadImpl : torch::nn::Module {
  explicit PrimitiveHeadImpl(const model::FluidSplatSpec& spec);
  Primitives forward(const torch::Tensor& z);
  torch::Tensor weight, bias;

 private:
  void initialize();
  model::FluidSplatSpec spec_;
};
TORCH_MODULE(PrimitiveHead);

// Rotation matrices whose rows are principal axes, from angles [...] or unit quaternions (w, x, y, z) [..., 4].
torch::Tensor rotation_from_angle(const torch::Tensor& angle);
torch::Tensor rotation_from_quaternion(const torch::Tensor& quaternion);

// What attention sees of each primitive: [B, K, token_columns].
torch::Tensor primitive_tokens(const Primitives& primitives);

}  // namespace fluidsplat::learn
