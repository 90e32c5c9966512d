// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/grid_convolution.h"

#include <cmath>

namespace fluidsplat::baselines {

GridConvolutionImpl::GridConvolutionImpl(Index dim, Index inputs, Index outputs, Index kernel) {
  std::vector<Index> shape = {outputs, inputs};
  shape.insert(shape.end(), dim, kernel);
  // Keeps the size of signals through GELU (He et al., 2015): with smaller weights what tells cases apart fades from
  // layer to layer.
  const double bound = std::sqrt(6 / (double(inputs) * std::pow(double(kernel), double(dim))));
  weight_ = register_parameter("weight", torch::empty(shape).uniform_(-bound, bound));
  bias_ = register_parameter("bias", torch::zeros({outputs}));
}

torch::Tensor GridConvolutionImpl::forward(const torch::Tensor& grid) {
  const Index padding = weight_.size(2) / 2;
  return grid.dim() == 4 ? torch::conv2d(grid, weight_, bias_, 1, padding)
                         : torch::conv3d(grid, weight_, bias_, 1, padding);
}

}  // namespace fluidsplat::baselines
