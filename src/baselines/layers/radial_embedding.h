// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "baselines/layers/latent_grid.h"

namespace fluidsplat::baselines {

// Tokens spread over a grid: a node takes the mean of all tokens with the softmax of -distance^2 / (2 length^2) as
// weights.  Each head spreads its share of the channels with a length of its own, which is learned: near zero the
// nearest token alone counts, as in a Voronoi diagram; when it is large every node has the mean.
struct RadialEmbeddingImpl : torch::nn::Module {
  RadialEmbeddingImpl(const LatentGrid& grid, Index heads);
  // positions [B, N, d] in the unit box, tokens [B, N, E], present [B, N]: [B, E, *shape], zeros where none is present.
  torch::Tensor forward(const torch::Tensor& positions, const torch::Tensor& tokens, const torch::Tensor& present);

 private:
  LatentGrid grid_;
  torch::Tensor places_;      // of the nodes, the longest side as one
  torch::Tensor log_length_;  // [heads], of the longest side
};
TORCH_MODULE(RadialEmbedding);

}  // namespace fluidsplat::baselines
