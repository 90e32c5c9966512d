// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config.h"

namespace fluidsplat::learn {

enum class OptimizerKind { kAdam, kSoap, kMuon };

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::kAdam;
  double weight_decay = 1e-6;
  void bind(Config& config);
};

}  // namespace fluidsplat::learn
