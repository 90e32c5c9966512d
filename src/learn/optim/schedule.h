// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config.h"
#include "base/index.h"

namespace fluidsplat::learn {

enum class ScheduleKind { kPlateau, kCosine, kOneCycle, kConstant };

struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::kPlateau;
  double rate = 5e-4, final_rate = 1e-6;
  double warmup = 0.3;  // one-cycle: share of the steps on which the rate rises
  double factor = 0.5;  // plateau
  Index patience = 25;  // plateau: validations without improvement before the rate drops
  Index steps = 1000;
  void bind(Config& config);
};

// The learning rate of each step.  Its state is three numbers, kept by checkpoints.
class Schedule {
 public:
  explicit Schedule(const ScheduleConfig& config) : config_(config) {}
  double rate(Index step) const;
  // Tells a plateau schedule the newest validation error.
  void report(double validation_error);

  struct State {
    double plateau_scale = 1, best = 1e300;
    Index waited = 0;
  } state;

 private:
  ScheduleConfig config_;
};

}  // namespace fluidsplat::learn
