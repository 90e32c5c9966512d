// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fourier.h"

#include <numbers>

namespace fluidsplat::learn {

torch::Tensor fourier_features(const torch::Tensor& positions, std::int64_t bands) {
  std::vector<torch::Tensor> parts = {positions};
  for (std::int64_t b = 0; b < bands; ++b) {
    const auto angle = positions * (std::numbers::pi * static_cast<double>(std::int64_t{1} << b));
    parts.push_back(torch::sin(angle));
    parts.push_back(torch::cos(angle));
  }
  return torch::cat(parts, -1);
}

}  // namespace fluidsplat::learn
