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

void drop_gradient(const TensorMap& parameters) {
  for (const auto& [name, p] : parameters) p.mutable_grad() = torch::Tensor();
}

// Losses and gradients of all ranks are added up in one message: what a message costs is mostly that it is sent.  The
// ranks' models are the same, so that the same parameters have a gradient everywhere.
void sum_over_ranks(StepResult& r, const TensorMap& parameters, Group& group) {
  std::vector<torch::Tensor> pieces;
  for (const auto& [name, p] : parameters)
    if (p.grad().defined()) pieces.push_back(p.grad().flatten());
  std::vector<float> losses = {float(r.loss)};
  for (const auto& [name, value] : r.terms) losses.push_back(float(value));
  pieces.push_back(torch::tensor(losses));
  for (auto& piece : pieces) piece = piece.to(torch::kCPU, torch::kFloat32);
  auto flat = torch::cat(pieces);
  group.sum(std::span(flat.data_ptr<float>(), std::size_t(flat.numel())));

  Index at = 0;
  for (const auto& [name, p] : parameters)
    if (p.grad().defined()) {
      p.mutable_grad().copy_(flat.slice(0, at, at + p.numel()).view(p.sizes()));
      at += p.numel();
    }
  r.loss = flat[at].item<double>();
  for (auto& [name, value] : r.terms) value = flat[++at].item<double>();
}

}  // namespace

StepResult compute_gradient(Model& model, const Batch& batch, const TensorMap& parameters, double limit,
                            double clip_norm, Group& group) {
  drop_gradient(parameters);
  const auto loss = compute_loss(model, batch);
  StepResult r{loss.total.item<double>(), loss.terms, 0, 0};
  if (group.size() == 1 && !(r.loss <= limit)) return r;
  loss.total.backward();
  if (group.size() > 1) sum_over_ranks(r, parameters, group);
  if (!(r.loss <= limit)) return drop_gradient(parameters), r;
  r.gradient = gradient_norm(parameters);
  if (clip_norm > 0 && std::isfinite(r.gradient) && r.gradient > clip_norm)
    scale_gradient(parameters, clip_norm / r.gradient);
  return r;
}

}  // namespace fluidsplat::learn
