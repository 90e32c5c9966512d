// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::baselines {

// Multi-head attention of queries [B, Q, A] to tokens [B, T, E]; B of the queries may be 1, which then serve every
// case.  Tokens that are not present [B, T] have no part in it; where none is, the answer is that of values of zero.
struct AttentionImpl : torch::nn::Module {
  AttentionImpl(Index query_width, Index token_width, Index heads);
  // present may be undefined: all are.
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& tokens, const torch::Tensor& present);

 private:
  torch::nn::Linear q_{nullptr}, k_{nullptr}, v_{nullptr}, out_{nullptr};
  Index heads_;
};
TORCH_MODULE(Attention);

// Two linear layers on every row, with a layer norm before and a residual connection around them.
struct RowMlpImpl : torch::nn::Module {
  explicit RowMlpImpl(Index width);
  torch::Tensor forward(const torch::Tensor& rows);

 private:
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear inner_{nullptr}, outer_{nullptr};
};
TORCH_MODULE(RowMlp);

// What Perceivers are made of: attention with layer norms before and a residual connection around it, then a RowMlp.
// Rows attend to tokens of another kind ...
struct CrossLayerImpl : torch::nn::Module {
  CrossLayerImpl(Index width, Index token_width, Index heads);
  torch::Tensor forward(const torch::Tensor& rows, const torch::Tensor& tokens, const torch::Tensor& present);

 private:
  torch::nn::LayerNorm norm_{nullptr}, token_norm_{nullptr};
  Attention attention_{nullptr};
  RowMlp mlp_{nullptr};
};
TORCH_MODULE(CrossLayer);

// ... or to each other.
struct SelfLayerImpl : torch::nn::Module {
  SelfLayerImpl(Index width, Index heads);
  torch::Tensor forward(const torch::Tensor& rows);

 private:
  torch::nn::LayerNorm norm_{nullptr};
  Attention attention_{nullptr};
  RowMlp mlp_{nullptr};
};
TORCH_MODULE(SelfLayer);

}  // namespace fluidsplat::baselines
