// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/optimizer.h"

#include "learn/optim/adam.h"
#include "learn/optim/muon.h"
#include "learn/optim/soap.h"

namespace fluidsplat::learn {

std::unique_ptr<Optimizer> make_optimizer(const OptimizerConfig& config, const TensorMap& parameters) {
  if (config.kind == OptimizerKind::kSoap) return std::make_unique<Soap>(parameters, config.weight_decay);
  if (config.kind == OptimizerKind::kMuon) return std::make_unique<Muon>(parameters, config.weight_decay);
  return std::make_unique<Adam>(parameters, config.weight_decay);
}

}  // namespace fluidsplat::learn
