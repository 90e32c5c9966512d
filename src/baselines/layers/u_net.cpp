// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/u_net.h"

#include "baselines/layers/latent_grid.h"

namespace fluidsplat::baselines {
namespace {

// Means of two nodes along each axis; what is left at an odd edge counts as a pair.
torch::Tensor halve(const torch::Tensor& grid) {
  return grid.dim() == 4 ? torch::avg_pool2d(grid, 2, 2, 0, /*ceil_mode=*/true, /*count_include_pad=*/false)
                         : torch::avg_pool3d(grid, 2, 2, 0, /*ceil_mode=*/true, /*count_include_pad=*/false);
}

}  // namespace

ConvolutionPairImpl::ConvolutionPairImpl(Index dim, Index inputs, Index outputs) {
  first_ = register_module("first", GridConvolution(dim, inputs, outputs, 3));
  first_norm_ = register_module("first_norm", torch::nn::GroupNorm(kGroups, outputs));
  second_ = register_module("second", GridConvolution(dim, outputs, outputs, 3));
  second_norm_ = register_module("second_norm", torch::nn::GroupNorm(kGroups, outputs));
}

torch::Tensor ConvolutionPairImpl::forward(torch::Tensor grid) {
  grid = torch::gelu(first_norm_(first_(grid)));
  return torch::gelu(second_norm_(second_(grid)));
}

UNetImpl::UNetImpl(Index dim, Index inputs, Index width, Index levels) {
  for (Index l = 0; l < levels; ++l) {
    const Index above = l == 0 ? inputs : width << (l - 1), here = width << l;
    down_.push_back(register_module("down" + std::to_string(l), ConvolutionPair(dim, above, here)));
    if (l + 1 < levels)
      up_.push_back(register_module("up" + std::to_string(l), ConvolutionPair(dim, here + 2 * here, here)));
  }
}

torch::Tensor UNetImpl::forward(const torch::Tensor& grid) {
  std::vector<torch::Tensor> levels = {down_[0](grid)};
  for (std::size_t l = 1; l < down_.size(); ++l) levels.push_back(down_[l](halve(levels.back())));
  auto x = levels.back();
  for (Index l = std::ssize(up_) - 1; l >= 0; --l) {
    const auto finer = resize(x, levels[l].sizes().slice(2).vec());
    x = up_[l](torch::cat({levels[l], finer}, 1));
  }
  return x;
}

}  // namespace fluidsplat::baselines
