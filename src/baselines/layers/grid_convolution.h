// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::baselines {

// A convolution of [B, C, *shape] in two or three dimensions that keeps the shape; zeros beyond the edges.
struct GridConvolutionImpl : torch::nn::Module {
  // kernel: odd, nodes along an axis.
  GridConvolutionImpl(Index dim, Index inputs, Index outputs, Index kernel);
  torch::Tensor forward(const torch::Tensor& grid);

 private:
  torch::Tensor weight_, bias_;
};
TORCH_MODULE(GridConvolution);

}  // namespace fluidsplat::baselines
