// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/mlp.h"

namespace fluidsplat::learn {

MlpImpl::MlpImpl(const std::vector<Index>& sizes) {
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    layers.push_back(register_module(std::to_string(i), torch::nn::Linear(sizes[i], sizes[i + 1])));
}

torch::Tensor MlpImpl::forward(torch::Tensor x) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    x = layers[i](x);
    if (i + 1 < layers.size()) x = torch::gelu(x);
  }
  return x;
}

}  // namespace fluidsplat::learn
