// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <torch/torch.h>

#include "decoder_peers.h"
#include "learn/fluidsplat/fluidsplat.h"

namespace fluidsplat::bench {
std::function<void()> torch_forward(const model::FluidSplatSpec& s, Index queries, int threads) {
  auto model = std::make_shared<learn::FluidSplat>(s);
  const Index n = queries;
  const auto z = torch::randn({1, s.context}), descriptors = torch::randn({1, s.descriptors});
  const learn::Queries q{torch::rand({1, n, s.dim}), torch::randn({1, n, s.features})};
  return [=] {
    torch::set_num_threads(threads);
    torch::NoGradGuard no_grad;
    model->decode(z, descriptors, q);
  };
}

std::function<void()> torch_step(const model::FluidSplatSpec& s, Index cases, Index queries, int threads) {
  auto model = std::make_shared<learn::FluidSplat>(s);
  const Index b = cases, n = queries;
  const auto z = torch::randn({b, s.context}, torch::requires_grad()), descriptors = torch::randn({b, s.descriptors});
  const learn::Queries q{torch::rand({b, n, s.dim}), torch::randn({b, n, s.features})};
  return [=] {
    torch::set_num_threads(threads);
    model->zero_grad();
    model->decode(z, descriptors, q).square().mean().backward();
  };
}

}  // namespace fluidsplat::bench
