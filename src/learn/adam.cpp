// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/adam.h"

#include <cmath>

namespace fluidsplat::learn {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

Adam::Adam(std::vector<torch::Tensor> parameters, double weight_decay)
    : parameters_(std::move(parameters)), weight_decay_(weight_decay) {
  for (const auto& p : parameters_) {
    first.push_back(torch::zeros_like(p));
    second.push_back(torch::zeros_like(p));
  }
}

void Adam::step(double rate) {
  torch::NoGradGuard no_grad;
  ++steps;
  const double correction1 = 1 - std::pow(kBeta1, double(steps));
  const double correction2 = 1 - std::pow(kBeta2, double(steps));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    auto& p = parameters_[i];
    if (!p.grad().defined()) continue;
    const auto g = weight_decay_ > 0 ? p.grad().add(p, weight_decay_) : p.grad();
    first[i].mul_(kBeta1).add_(g, 1 - kBeta1);
    second[i].mul_(kBeta2).addcmul_(g, g, 1 - kBeta2);
    const auto denominator = second[i].sqrt().div_(std::sqrt(correction2)).add_(kEpsilon);
    p.addcdiv_(first[i], denominator, -rate / correction1);
  }
}

}  // namespace fluidsplat::learn
