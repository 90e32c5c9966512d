// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>

#include "base/index.h"

namespace fluidsplat::learn {

// Compares autograd with central differences, in double precision, for up to `probes` entries of each tensor that
// `scalar` depends on.
inline void expect_gradients_match(const std::function<torch::Tensor()>& scalar,
                                   const std::vector<torch::Tensor>& inputs, int probes = 6, double tolerance = 2e-6) {
  const auto gradients = torch::autograd::grad({scalar()}, inputs, {}, false, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!gradients[i].defined()) continue;
    auto flat = inputs[i].data().view(-1);
    const auto analytic = gradients[i].reshape(-1);
    for (int p = 0; p < probes; ++p) {
      const auto at = static_cast<Index>(p) * std::max<Index>(1, flat.numel() / probes);
      if (at >= flat.numel()) break;
      const double step = 1e-5, here = flat[at].item<double>();
      flat[at] = here + step;
      const double above = scalar().item<double>();
      flat[at] = here - step;
      const double below = scalar().item<double>();
      flat[at] = here;
      const double numeric = (above - below) / (2 * step), exact = analytic[at].item<double>();
      EXPECT_NEAR(exact, numeric, tolerance * (1 + std::abs(numeric))) << "input " << i << ", entry " << at;
    }
  }
}

// A sum with fixed, uneven weights: no two outputs can hide each other's errors.
inline torch::Tensor weighted_sum(const torch::Tensor& t) {
  return (t * torch::sin(torch::arange(1, t.numel() + 1, t.options()).view(t.sizes()))).sum();
}

}  // namespace fluidsplat::learn
