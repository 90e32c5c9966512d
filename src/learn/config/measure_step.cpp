// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/measure_step.h"

#include <algorithm>

#include "base/processor_time.h"
#include "base/stopwatch.h"
#include "base/temporary_folder.h"
#include "base/threads.h"
#include "learn/train/trainer.h"

namespace fluidsplat::learn {

StepCost measure_step(TrainConfig config, const field::Dataset& dataset, const field::Split& split,
                      const field::SensorLayout& sensors, StepClock clock) {
  constexpr Index kSteps = 16;
  const TemporaryFolder folder;
  config.out = folder.path().string();
  config.schedule.steps = kSteps;
  config.validate_every = kSteps;
  config.checkpoint_every = kSteps;
  Trainer trainer(config, dataset, split, sensors);
  const Stopwatch watch;
  // Threads that wait for each other work too: all of them count alike.
  const double threads = config.threads > 0 ? double(config.threads) : double(available_threads());
  const auto now = [&] { return clock == StepClock::kWall ? watch.seconds() : processor_seconds() / threads; };
  double last = now();
  std::vector<double> steps;
  StepCost cost;
  TrainCallbacks callbacks;
  callbacks.on_step = [&](Index, double, double) {
    steps.push_back(now() - last);
    last = now();
  };
  callbacks.on_validation = [&](const LogRow&, bool) { cost.validation_seconds = now() - last; };
  trainer.run(callbacks);
  // Other programs slow a processor's work too, through caches and a core's other thread: they hardly do so in every
  // step, and the quickest tells what the work itself takes.
  const auto which = clock == StepClock::kProcessor ? 0 : steps.size() / 2;
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(which), steps.end());
  cost.step_seconds = steps[which];
  return cost;
}

}  // namespace fluidsplat::learn
