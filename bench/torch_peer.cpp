// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <torch/torch.h>

#include "decoder_peers.h"
#include "learn/model.h"

namespace fluidsplat::bench {
namespace {

std::shared_ptr<learn::FluidSplat> make_model(const kernels::DecoderShape& s) {
  learn::ModelConfig c;
  const auto i = [](Index n) { return static_cast<Index>(n); };
  c.dim = i(s.dim), c.channels = i(s.channels), c.features = i(s.features), c.descriptors = i(s.descriptors);
  c.primitives = i(s.primitives), c.context = i(s.context), c.bands = i(s.bands);
  c.attention_width = i(s.attention_width), c.heads = i(s.heads), c.layers = i(s.layers), c.width = i(s.width);
  c.modulation_gain = s.modulation_gain;
  return std::make_shared<learn::FluidSplat>(c);
}

}  // namespace

std::function<void()> torch_forward(const kernels::DecoderShape& s, Index queries, int threads) {
  auto model = make_model(s);
  const Index n = queries;
  const auto z = torch::randn({1, model->config.context}), descriptors = torch::randn({1, model->config.descriptors});
  const learn::Queries q{torch::rand({1, n, model->config.dim}), torch::randn({1, n, model->config.features})};
  return [=] {
    torch::set_num_threads(threads);
    torch::NoGradGuard no_grad;
    model->decode(z, descriptors, q);
  };
}

std::function<void()> torch_step(const kernels::DecoderShape& s, Index cases, Index queries, int threads) {
  auto model = make_model(s);
  const Index b = cases, n = queries;
  const auto z = torch::randn({b, model->config.context}, torch::requires_grad()),
             descriptors = torch::randn({b, model->config.descriptors});
  const learn::Queries q{torch::rand({b, n, model->config.dim}), torch::randn({b, n, model->config.features})};
  return [=] {
    torch::set_num_threads(threads);
    model->zero_grad();
    model->decode(z, descriptors, q).square().mean().backward();
  };
}

}  // namespace fluidsplat::bench
