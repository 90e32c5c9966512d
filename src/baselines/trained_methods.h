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

// The config's own model first, then every other kind that is trained, with its published settings and the same data,
// sensors, batches and seed.  Each has a folder of its own in the config's `out`.
std::vector<TrainedMethod> trained_methods(const learn::TrainConfig& config);

}  // namespace fluidsplat::baselines
