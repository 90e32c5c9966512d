// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/layers/attention.h"

#include <cmath>

namespace fluidsplat::baselines {
namespace {

// Far below every score, so that its exponential is zero, but finite: a case without tokens must not give NaN.
constexpr double kNever = -1e9;

torch::nn::LayerNorm norm_of(Index width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

}  // namespace

AttentionImpl::AttentionImpl(Index query_width, Index token_width, Index heads) : heads_(heads) {
  q_ = register_module("q", torch::nn::Linear(query_width, query_width));
  k_ = register_module("k", torch::nn::Linear(token_width, query_width));
  v_ = register_module("v", torch::nn::Linear(token_width, query_width));
  out_ = register_module("out", torch::nn::Linear(query_width, query_width));
}

torch::Tensor AttentionImpl::forward(const torch::Tensor& queries, const torch::Tensor& tokens,
                                     const torch::Tensor& present) {
  const Index per_head = queries.size(2) / heads_;
  const auto split = [&](const torch::Tensor& x) {
    return x.view({x.size(0), x.size(1), heads_, per_head}).transpose(1, 2);
  };
  const double scale = 1 / std::sqrt(double(per_head));
  auto scores = torch::matmul(split(q_(queries)) * scale, split(k_(tokens)).transpose(2, 3));
  torch::Tensor shares;
  if (present.defined()) {
    const auto mask = present.to(scores.dtype()).unsqueeze(1).unsqueeze(1);
    shares = torch::softmax(scores.masked_fill(mask.eq(0), kNever), -1) * mask;
  } else {
    shares = torch::softmax(scores, -1);
  }
  const auto mixed = torch::matmul(shares, split(v_(tokens))).transpose(1, 2);
  return out_(mixed.reshape({mixed.size(0), mixed.size(1), queries.size(2)}));
}

RowMlpImpl::RowMlpImpl(Index width) {
  norm_ = register_module("norm", norm_of(width));
  inner_ = register_module("inner", torch::nn::Linear(width, width));
  outer_ = register_module("outer", torch::nn::Linear(width, width));
}

torch::Tensor RowMlpImpl::forward(const torch::Tensor& rows) {
  return rows + outer_(torch::gelu(inner_(norm_(rows))));
}

CrossLayerImpl::CrossLayerImpl(Index width, Index token_width, Index heads) {
  norm_ = register_module("norm", norm_of(width));
  token_norm_ = register_module("token_norm", norm_of(token_width));
  attention_ = register_module("attention", Attention(width, token_width, heads));
  mlp_ = register_module("mlp", RowMlp(width));
}

torch::Tensor CrossLayerImpl::forward(const torch::Tensor& rows, const torch::Tensor& tokens,
                                      const torch::Tensor& present) {
  return mlp_(rows + attention_(norm_(rows), token_norm_(tokens), present));
}

SelfLayerImpl::SelfLayerImpl(Index width, Index heads) {
  norm_ = register_module("norm", norm_of(width));
  attention_ = register_module("attention", Attention(width, width, heads));
  mlp_ = register_module("mlp", RowMlp(width));
}

torch::Tensor SelfLayerImpl::forward(const torch::Tensor& rows) {
  const auto normal = norm_(rows);
  return mlp_(rows + attention_(normal, normal, torch::Tensor()));
}

}  // namespace fluidsplat::baselines
