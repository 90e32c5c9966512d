// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/run_training.h"

#include <fmt/format.h>

#include "apps/run_evaluation.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "field/dataset_file.h"
#include "learn/setup.h"
#include "learn/trainer.h"

namespace fluidsplat::app {

learn::TrainConfig read_config(const std::string& file, const std::vector<std::string>& overrides) {
  learn::TrainConfig config;
  Config keys;
  config.bind(keys);
  keys.read_file(file);
  for (const auto& text : overrides) keys.override_with(text);
  return config;
}

std::optional<field::ErrorSummary> run_training(const learn::TrainConfig& config, bool resume) {
  config.check();
  learn::check_dataset_exists(config.data.file);
  const field::DatasetFile dataset(config.data.file);
  const auto split = learn::make_split(config.data, dataset);
  learn::Trainer trainer(config, dataset, split, learn::make_sensors(config.sensors, dataset));
  if (resume) trainer.resume();
  if (!resume && std::filesystem::exists(trainer.file("checkpoint.safetensors")))
    fmt::print(stderr, "{}: an earlier run is there and will be replaced (--resume would continue it)\n", config.out);
  fmt::print("{} parameters, {} primitives, {} sensors; {} training cases from {}\n",
             learn::parameter_count(*trainer.bundle().model), config.model.primitives, trainer.bundle().sensors.size(),
             split.train.size(), config.data.file);

  learn::TrainOutcome outcome;
  {
    Progress progress("training", config.schedule.steps);
    std::string last;
    learn::TrainCallbacks callbacks;
    callbacks.on_step = [&](Index step, double loss, double rate) {
      progress.update(step, fmt::format("loss {:.3e}  rate {:.1e}{}", loss, rate, last));
    };
    callbacks.on_validation = [&](const learn::LogRow& row, bool best) {
      last = fmt::format("  validation {:.4f}{}", row.validation, best ? " (best)" : "");
    };
    callbacks.on_event = [&](const std::string& what) { progress.say(what); };
    callbacks.should_stop = interrupted;
    outcome = trainer.run(callbacks);
  }
  const auto& counters = trainer.counters();
  fmt::print("{} steps in {}; best validation error {:.4f}\n", counters.step, format_duration(counters.seconds),
             counters.best_error);
  if (outcome == learn::TrainOutcome::interrupted) {
    fmt::print(stderr, "interrupted; continue with --resume\n");
    return {};
  }
  EvaluationSource source;
  source.model = trainer.file("model.safetensors");
  source.data = config.data.file;
  source.cases = split.test;
  source.out = config.out;
  source.threads = int(config.threads);
  return run_evaluation(source);
}

}  // namespace fluidsplat::app
