// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/config/train_config.h"

namespace fluidsplat::baselines {

// A method that is trained by gradient: the whole config it is trained with.
struct TrainedMethod {
  std::string name;
  learn::TrainConfig config;
};

// The config's own model first, then every other kind that is trained, with its published sizes for data of so many
// dimensions, tokens of the wall where the config's model has them, and all else as the config has it: data, sensors,
// batches, optimiser, seed.  Each has a folder of its own in the config's `out`.
std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config, Index dim);
// The same, these kinds only.  Throws Error for one that is not among them.
std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config, Index dim,
                                           const std::vector<std::string>& kinds);

}  // namespace fluidsplat::baselines
