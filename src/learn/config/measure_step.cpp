// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/measure_step.h"

#include <algorithm>
#include <chrono>

#include "base/temporary_folder.h"
#include "learn/train/trainer.h"

namespace fluidsplat::learn {

StepCost measure_step(TrainConfig config, const field::Dataset& dataset, const field::Split& split,
                      const field::SensorLayout& sensors) {
  constexpr Index kSteps = 10;
  const TemporaryFolder folder;
  config.out = folder.path().string();
  config.schedule.steps = kSteps;
  config.validate_every = kSteps;
  config.checkpoint_every = kSteps;
  Trainer trainer(config, dataset, split, sensors);
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  auto last = Clock::now();
  std::vector<double> steps;
  StepCost cost;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](Index, double, double) {
    steps.push_back(seconds_since(last));
    last = Clock::now();
  };
  callbacks.on_validation = [&](const LogRow&, bool) { cost.validation_seconds = seconds_since(last); };
  trainer.run(callbacks);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  cost.step_seconds = steps[steps.size() / 2];
  return cost;
}

}  // namespace fluidsplat::learn
