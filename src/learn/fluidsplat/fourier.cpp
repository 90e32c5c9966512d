// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/fourier.h"

#include <numbers>

namespace fluidsplat::learn {

torch::Tensor fourier_features(const torch::Tensor& positions, Index bands) {
  std::vector<torch::Tensor> parts = {positions};
  for (Index b = 0; b < bands; ++b) {
    const auto angle = positions * (std::numbers::pi * double(Index{1} << b));
    parts.push_back(torch::sin(angle));
    parts.push_back(torch::cos(angle));
  }
  return torch::cat(parts, -1);
}

}  // namespace fluidsplat::learn
