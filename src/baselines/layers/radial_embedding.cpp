// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/radial_embedding.h"

#include <cmath>

namespace fluidsplat::baselines {
namespace {

// Lengths to start from: a few nodes of the grid, and more than the whole domain.
constexpr double kShortest = 0.05, kLongest = 2;
// Far below every score, yet finite: a case without tokens must not give NaN.
constexpr double kNever = -1e9;

}  // namespace

RadialEmbeddingImpl::RadialEmbeddingImpl(const LatentGrid& grid, Index heads)
    : grid_(grid), places_(grid.scaled(grid.places())) {
  log_length_ = register_parameter("log_length", torch::linspace(std::log(kShortest), std::log(kLongest), heads));
}

torch::Tensor RadialEmbeddingImpl::forward(const torch::Tensor& positions, const torch::Tensor& tokens,
                                           const torch::Tensor& present) {
  const Index batch = tokens.size(0), count = tokens.size(1), heads = log_length_.size(0), width = tokens.size(2);
  const auto places = places_.to(positions.options());
  const auto squares = (grid_.scaled(positions).unsqueeze(2) - places).square().sum(-1);  // [B, N, nodes]
  const auto sharpness = 0.5 * torch::exp(-2 * log_length_);
  const auto mask = present.to(tokens.dtype()).view({batch, 1, count, 1});
  const auto scores = (-sharpness.view({1, heads, 1, 1}) * squares.unsqueeze(1)).masked_fill(mask.eq(0), kNever);
  const auto shares = torch::softmax(scores, 2) * mask;  // [B, heads, N, nodes]
  const auto values = tokens.view({batch, count, heads, width / heads}).permute({0, 2, 3, 1});
  std::vector<Index> shape = {batch, width};
  shape.insert(shape.end(), grid_.shape().begin(), grid_.shape().end());
  return torch::matmul(values, shares).view(shape);
}

}  // namespace fluidsplat::baselines
