// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/adam.h"

#include <cmath>

namespace fluidsplat::learn {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

Adam::Adam(TensorMap parameters, double weight_decay)
    : steps_(torch::zeros({1}, torch::kFloat64)), weight_decay_(weight_decay) {
  for (const auto& [name, p] : parameters) moments_[name] = {p, torch::zeros_like(p), torch::zeros_like(p)};
}

TensorMap Adam::state() const {
  TensorMap out = {{"steps", steps_}};
  for (const auto& [name, m] : moments_) {
    out["first/" + name] = m.first;
    out["second/" + name] = m.second;
  }
  return out;
}

void Adam::step(double rate) {
  torch::NoGradGuard no_grad;
  steps_ += 1;
  const double steps = steps_.item<double>();
  const double correction1 = 1 - std::pow(kBeta1, steps), correction2 = 1 - std::pow(kBeta2, steps);
  for (auto& [name, m] : moments_) {
    auto& p = m.parameter;
    if (!p.grad().defined()) continue;
    const auto g = weight_decay_ > 0 ? p.grad().add(p, weight_decay_) : p.grad();
    m.first.mul_(kBeta1).add_(g, 1 - kBeta1);
    m.second.mul_(kBeta2).addcmul_(g, g, 1 - kBeta2);
    const auto denominator = m.second.sqrt().div_(std::sqrt(correction2)).add_(kEpsilon);
    p.addcdiv_(m.first, denominator, -rate / correction1);
  }
}

}  // namespace fluidsplat::learn
