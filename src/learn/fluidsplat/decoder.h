// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "learn/fluidsplat/scaffold.h"

namespace fluidsplat::learn {

// Multi-head attention of query tokens [B, Q, A] to primitive tokens [B, T, A], without the residual connection.
struct CrossAttentionImpl : torch::nn::Module {
  CrossAttentionImpl(Index width, Index heads);
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& tokens);
  torch::nn::Linear q{nullptr}, k{nullptr}, v{nullptr}, out{nullptr};

 private:
  Index heads_;
};
TORCH_MODULE(CrossAttention);

// What the scaffold cannot carry: f_res at every query, conditioned on z and on the Gaussian state.
struct ResidualDecoderImpl : torch::nn::Module {
  explicit ResidualDecoderImpl(const model::FluidSplatSpec& spec);
  // queries [B, Q, d], features [B, Q, F] (undefined when F = 0), descriptors [B, M]; returns [B, Q, C].
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& features, const torch::Tensor& z,
                        const torch::Tensor& descriptors, const Primitives& primitives, const Scaffold& scaffold);

 private:
  torch::Tensor attend(const torch::Tensor& inputs, const torch::Tensor& z, const Primitives& primitives);
  torch::Tensor activate(const torch::Tensor& a) const;
  void initialize_sine();

  model::FluidSplatSpec spec_;
  torch::nn::Linear query_{nullptr}, token_{nullptr}, global_{nullptr};
  CrossAttention attention_{nullptr};
  torch::nn::LayerNorm norm1_{nullptr}, norm2_{nullptr};
  std::vector<torch::nn::Linear> ffn_, mlp_, modulation_;
};
TORCH_MODULE(ResidualDecoder);

}  // namespace fluidsplat::learn
