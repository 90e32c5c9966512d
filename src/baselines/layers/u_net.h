// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <vector>

#include "baselines/layers/grid_convolution.h"

namespace fluidsplat::baselines {

// Two convolutions over three nodes along each axis, each followed by a group norm and GELU.
struct ConvolutionPairImpl : torch::nn::Module {
  ConvolutionPairImpl(Index dim, Index inputs, Index outputs);
  torch::Tensor forward(torch::Tensor grid);
  // Of which the number of outputs must be a multiple.
  static constexpr Index kGroups = 4;

 private:
  GridConvolution first_{nullptr}, second_{nullptr};
  torch::nn::GroupNorm first_norm_{nullptr}, second_norm_{nullptr};
};
TORCH_MODULE(ConvolutionPair);

// A U-Net on grids of two or three dimensions and any shape: [B, inputs, *shape] -> [B, width, *shape].  Each level
// down halves the grid and doubles the width; each level up takes what its own level had on the way down beside it.
struct UNetImpl : torch::nn::Module {
  UNetImpl(Index dim, Index inputs, Index width, Index levels);
  torch::Tensor forward(const torch::Tensor& grid);

 private:
  std::vector<ConvolutionPair> down_, up_;  // by level, the finest first; the coarsest level has no way up
};
TORCH_MODULE(UNet);

}  // namespace fluidsplat::baselines
