// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/decoder.h"

#include <cmath>

#include "learn/fluidsplat/fourier.h"

namespace fluidsplat::learn {
namespace {

using torch::nn::Linear;

// linear([x | z]) with z [B, Dz] the same for every query of a case: its part is computed once per case instead of once
// per query.  `z_at` is where z's columns start.
torch::Tensor linear_with_context(const Linear& layer, const torch::Tensor& before_and_after, const torch::Tensor& z,
                                  Index z_at) {
  const auto w = layer->weight;
  const auto z_end = z_at + z.size(1);
  const auto w_rest =
      z_end == w.size(1) ? w.slice(1, 0, z_at) : torch::cat({w.slice(1, 0, z_at), w.slice(1, z_end)}, 1);
  const auto once = torch::linear(z, w.slice(1, z_at, z_end), layer->bias);
  return torch::linear(before_and_after, w_rest) + once.unsqueeze(1);
}

std::vector<Linear> register_layers(torch::nn::Module& parent, const std::string& name,
                                    const std::vector<std::array<Index, 2>>& sizes) {
  auto group = parent.register_module(name, std::make_shared<torch::nn::Module>());
  std::vector<Linear> layers;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    layers.push_back(group->register_module(std::to_string(i), Linear(sizes[i][0], sizes[i][1])));
  return layers;
}

}  // namespace

CrossAttentionImpl::CrossAttentionImpl(Index width, Index heads) : heads_(heads) {
  q = register_module("q", Linear(width, width));
  k = register_module("k", Linear(width, width));
  v = register_module("v", Linear(width, width));
  out = register_module("out", Linear(width, width));
}

torch::Tensor CrossAttentionImpl::forward(const torch::Tensor& queries, const torch::Tensor& tokens) {
  const auto per_head = queries.size(2) / heads_;
  const auto split = [&](const torch::Tensor& x) {
    return x.view({x.size(0), x.size(1), heads_, per_head}).transpose(1, 2);
  };
  const auto scale = 1 / std::sqrt(double(per_head));
  const auto scores = torch::matmul(split(q(queries)) * scale, split(k(tokens)).transpose(2, 3));
  const auto mixed = torch::matmul(torch::softmax(scores, -1), split(v(tokens)));
  return out(mixed.transpose(1, 2).reshape(queries.sizes()));
}

ResidualDecoderImpl::ResidualDecoderImpl(const model::FluidSplatSpec& spec) : spec_(spec) {
  const auto a = spec.attention_width, v = spec.query_inputs(), h = spec.width;
  if (spec.attention) {
    query_ = register_module("query", Linear(v + spec.context, a));
    token_ = register_module("token", Linear(spec.token_columns(), a));
    if (spec.global_token) global_ = register_module("global", Linear(spec.context, a));
    attention_ = register_module("attention", CrossAttention(a, spec.heads));
    norm1_ = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({a})));
    norm2_ = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({a})));
    ffn_ = register_layers(*this, "ffn", {{a, 2 * a}, {2 * a, a}});
  }
  const auto inputs = v + spec.context + (spec.state_features ? spec.channels + 1 : 0) + (spec.attention ? a : 0);
  std::vector<std::array<Index, 2>> sizes = {{inputs, h}};
  for (Index l = 1; l < spec.layers; ++l) sizes.push_back({h, h});
  sizes.push_back({h, spec.channels});
  mlp_ = register_layers(*this, "mlp", sizes);
  if (spec.modulation_gain > 0 && spec.descriptors > 0)
    modulation_ =
        register_layers(*this, "modulation", std::vector<std::array<Index, 2>>(spec.layers, {spec.descriptors, 2 * h}));
  if (spec.activation == model::Activation::kSine) initialize_sine();
}

void ResidualDecoderImpl::initialize_sine() {
  // Keeps the spread of omega * a near one from layer to layer, so that gradients neither vanish nor fold.
  torch::NoGradGuard no_grad;
  for (std::size_t l = 1; l + 1 < mlp_.size(); ++l) {
    const double bound = std::sqrt(6.0 / double(mlp_[l]->weight.size(1))) / spec_.omega;
    torch::nn::init::uniform_(mlp_[l]->weight, -bound, bound);
  }
}

torch::Tensor ResidualDecoderImpl::activate(const torch::Tensor& a) const {
  return spec_.activation == model::Activation::kSine ? torch::sin(spec_.omega * a) : torch::gelu(a);
}

torch::Tensor ResidualDecoderImpl::attend(const torch::Tensor& inputs, const torch::Tensor& z,
                                          const Primitives& primitives) {
  const auto q0 = linear_with_context(query_, inputs, z, inputs.size(2));
  auto tokens = token_(primitive_tokens(primitives));
  if (spec_.global_token) tokens = torch::cat({tokens, global_(z).unsqueeze(1)}, 1);
  auto r = norm1_(q0 + attention_(q0, tokens));
  return norm2_(r + ffn_[1](torch::gelu(ffn_[0](r))));
}

torch::Tensor ResidualDecoderImpl::forward(const torch::Tensor& queries, const torch::Tensor& features,
                                           const torch::Tensor& z, const torch::Tensor& descriptors,
                                           const Primitives& primitives, const Scaffold& scaffold) {
  auto inputs = fourier_features(queries, spec_.bands);
  if (spec_.features > 0) inputs = torch::cat({inputs, features}, -1);
  std::vector<torch::Tensor> parts = {inputs};
  if (spec_.state_features) {
    parts.push_back(scaffold.field);
    parts.push_back(torch::log1p(torch::exp(scaffold.log_mass)).unsqueeze(-1));
  }
  if (spec_.attention) parts.push_back(attend(inputs, z, primitives));

  torch::Tensor x = torch::cat(parts, -1);
  for (std::size_t l = 0; l + 1 < mlp_.size(); ++l) {
    auto a = l == 0 ? linear_with_context(mlp_[0], x, z, inputs.size(2)) : mlp_[l](x);
    if (!modulation_.empty()) {
      const auto m = torch::tanh(modulation_[l](descriptors)).unsqueeze(1) * spec_.modulation_gain;
      const auto shift_and_gain = m.chunk(2, -1);
      a = a * (1 + shift_and_gain[0]) + shift_and_gain[1];
    }
    x = activate(a);
  }
  return mlp_.back()(x);
}

}  // namespace fluidsplat::learn
