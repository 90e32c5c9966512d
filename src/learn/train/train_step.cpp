// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/train_step.h"

#include <cmath>

#include "learn/train/loss.h"

namespace fluidsplat::learn {
namespace {

double gradient_norm(const TensorMap& parameters) {
  double square = 0;
  for (const auto& [name, p] : parameters)
    if (p.grad().defined()) square += p.grad().square().sum().item<double>();
  return std::sqrt(square);
}

void scale_gradient(const TensorMap& parameters, double factor) {
  for (const auto& [name, p] : parameters)
    if (p.grad().defined()) p.mutable_grad().mul_(factor);
}

}  // namespace

StepResult compute_gradient(Model& model, const Batch& batch, const TensorMap& parameters, double limit,
                            double clip_norm) {
  for (const auto& [name, p] : parameters) p.mutable_grad() = torch::Tensor();
  const auto loss = compute_loss(model, batch);
  StepResult r{loss.total.item<double>(), loss.terms, 0, 0};
  if (!(r.loss <= limit)) return r;
  loss.total.backward();
  r.gradient = gradient_norm(parameters);
  if (clip_norm > 0 && std::isfinite(r.gradient) && r.gradient > clip_norm)
    scale_gradient(parameters, clip_norm / r.gradient);
  return r;
}

}  // namespace fluidsplat::learn
