// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "learn/model/tensors.h"
#include "learn/optim/optimizer_config.h"

namespace fluidsplat::learn {

// Turns gradients into steps.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // One step with the gradients that the parameters hold.
  virtual void step(double rate) = 0;
  // Everything that decides the next step, sharing memory with the optimiser: a checkpoint copies it out, a resume or a
  // rollback copies it back in.
  virtual TensorMap state() const = 0;
};

std::unique_ptr<Optimizer> make_optimizer(const OptimizerConfig& config, const TensorMap& parameters);

}  // namespace fluidsplat::learn
