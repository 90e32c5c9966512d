// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/loss.h"

namespace fluidsplat::learn {

Loss compute_loss(Model& model, const Batch& b) {
  const auto error = model.squared_error(b.observation, b.queries, b.targets, b.weights);
  Loss out{error.sum, {}};
  torch::NoGradGuard no_grad;
  const auto squares = (error.field - b.targets).square() * b.weights;
  for (const auto& term : b.terms)
    out.terms[term.name] = squares.slice(1, term.begin, term.end).sum().item<double>() / term.weight;
  return out;
}

}  // namespace fluidsplat::learn
