// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/muon.h"

#include <cmath>

namespace fluidsplat::learn {
namespace {

constexpr double kMomentum = 0.95, kBeta1 = 0.9, kBeta2 = 0.99, kEpsilon = 1e-8;
// An update of the size that Adam's have, so that one rate serves both.
constexpr double kLikeAdam = 0.2;
constexpr Index kNarrow = 16;

bool is_wide(const torch::Tensor& t) {
  return t.dim() == 2 && std::min(t.size(0), t.size(1)) >= kNarrow;
}

}  // namespace

torch::Tensor orthogonalized(const torch::Tensor& matrix) {
  // A quintic polynomial of the singular values that is steep at zero and flat around one.
  constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
  const bool tall = matrix.size(0) > matrix.size(1);
  auto x = matrix / (matrix.norm() + 1e-7);
  if (tall) x = x.t();
  for (int i = 0; i < 5; ++i) {
    const auto gram = torch::matmul(x, x.t());
    x = a * x + torch::matmul(b * gram + c * torch::matmul(gram, gram), x);
  }
  return tall ? x.t() : x;
}

Muon::Muon(const TensorMap& parameters, double weight_decay)
    : steps_(torch::zeros({1}, torch::kFloat64)), weight_decay_(weight_decay) {
  for (const auto& [name, p] : parameters)
    entries_[name] = {p, torch::zeros_like(p), is_wide(p) ? torch::Tensor() : torch::zeros_like(p)};
}

TensorMap Muon::state() const {
  TensorMap out = {{"steps", steps_}};
  for (const auto& [name, e] : entries_) {
    out["first/" + name] = e.first;
    if (e.second.defined()) out["second/" + name] = e.second;
  }
  return out;
}

void Muon::step(double rate) {
  torch::NoGradGuard no_grad;
  steps_ += 1;
  const double n = steps_.item<double>();
  for (auto& [name, e] : entries_) {
    const auto& g = e.parameter.grad();
    if (!g.defined()) continue;
    if (weight_decay_ > 0) e.parameter.mul_(1 - rate * weight_decay_);
    if (is_wide(g)) {
      e.first.mul_(kMomentum).add_(g);
      const double size = kLikeAdam * std::sqrt(double(std::max(g.size(0), g.size(1))));
      e.parameter.sub_(orthogonalized(g.add(e.first, kMomentum)), rate * size);
    } else {
      e.first.mul_(kBeta1).add_(g, 1 - kBeta1);
      e.second.mul_(kBeta2).addcmul_(g, g, 1 - kBeta2);
      const auto denominator = e.second.sqrt().div_(std::sqrt(1 - std::pow(kBeta2, n))).add_(kEpsilon);
      e.parameter.addcdiv_(e.first, denominator, -rate / (1 - std::pow(kBeta1, n)));
    }
  }
}

}  // namespace fluidsplat::learn
