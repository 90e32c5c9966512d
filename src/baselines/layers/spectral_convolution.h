// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <vector>

#include "base/index.h"

namespace fluidsplat::baselines {

// The layer of Fourier neural operators: every kept Fourier mode of [B, width, *shape] is multiplied by a complex
// matrix of its own, all others by zero.  Two or three dimensions.
struct SpectralConvolutionImpl : torch::nn::Module {
  // modes: kept on each side of zero along an axis; fewer where the grid has no more.
  SpectralConvolutionImpl(Index width, Index modes, const std::vector<Index>& shape);
  torch::Tensor forward(const torch::Tensor& grid);

 private:
  // [B, width, *kept] complex, mode by mode.
  torch::Tensor multiply(const torch::Tensor& spectrum);

  Index width_;
  std::vector<Index> shape_, modes_;
  torch::Tensor real_, imaginary_;  // [kept modes, width, width]
};
TORCH_MODULE(SpectralConvolution);

// How many complex matrices there are.
Index kept_modes(Index modes, const std::vector<Index>& shape);

}  // namespace fluidsplat::baselines
