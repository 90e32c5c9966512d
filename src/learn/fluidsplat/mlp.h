// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::learn {

// Linear layers "0", "1", ... with GELU between them, none after the last.
struct MlpImpl : torch::nn::Module {
  explicit MlpImpl(const std::vector<Index>& sizes);
  torch::Tensor forward(torch::Tensor x);
  std::vector<torch::nn::Linear> layers;
};
TORCH_MODULE(Mlp);

}  // namespace fluidsplat::learn
