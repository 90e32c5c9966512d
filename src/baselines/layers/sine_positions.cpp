// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/sine_positions.h"

#include <numbers>

namespace fluidsplat::baselines {

SinePositions::SinePositions(Index bands, const std::vector<Index>& cells) {
  std::vector<torch::Tensor> axes;
  for (const Index n : cells) axes.push_back(torch::linspace(1.0, double(n) / 2, bands, torch::kFloat64));
  frequencies_ = torch::stack(axes);
}

torch::Tensor SinePositions::operator()(const torch::Tensor& positions) const {
  const auto waves = (std::numbers::pi * frequencies_).to(positions.options());
  const auto angles = ((2 * positions - 1).unsqueeze(-1) * waves).flatten(-2);
  return torch::cat({torch::sin(angles), torch::cos(angles)}, -1);
}

}  // namespace fluidsplat::baselines
