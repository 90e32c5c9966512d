// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/run_training.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/best_classical.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "base/folder_lock.h"
#include "base/interrupt.h"
#include "base/memory_budget.h"
#include "base/progress.h"
#include "field/dataset_file.h"
#include "field/error_text.h"
#include "learn/config/large_cases.h"
#include "learn/config/setup.h"
#include "learn/train/trainer.h"

namespace fluidsplat::app {

namespace {

std::string best_text(double error) {
  return std::isfinite(error) ? fmt::format("best validation error {}", field::error_text(error))
                              : std::string("no validation yet");
}

}  // namespace

std::optional<field::ErrorSummary> run_training(const learn::TrainConfig& config, EarlierRun earlier,
                                                learn::Group& group) {
  config.check();
  if (group.is_first() && earlier == EarlierRun::kept) learn::RunFolder(config.out).refuse_to_replace();
  learn::check_dataset_exists(config.data.file);
  const field::DatasetFile dataset(config.data.file);
  learn::check_large_cases(config, dataset);
  const auto split = learn::make_split(config.data, dataset);
  std::optional<FolderLock> lock;
  if (group.is_first()) lock.emplace(config.out, "training");
  const field::SeenData data(dataset, learn::how_seen(config.data));
  learn::Trainer trainer(config, *data, split, learn::make_sensors(config.sensors, dataset), group);
  if (earlier == EarlierRun::continued) trainer.resume();
  if (!group.is_first()) {
    learn::TrainCallbacks callbacks;
    callbacks.should_stop = interrupted;
    trainer.run(callbacks);
    return {};
  }
  if (trainer.counters().step >= config.schedule.steps)
    fmt::print("{}: has taken its {} steps; train.steps=... makes them more\n", config.out, trainer.counters().step);
  fmt::print("{}: {} parameters, {} sensors; {} training cases from {}\n", config.model->kind(),
             learn::parameter_count(*trainer.trained().model), trainer.trained().sensors.size(), split.train.size(),
             config.data.file);

  const double waited = group.seconds();
  learn::TrainOutcome outcome;
  {
    Progress progress("training", config.schedule.steps);
    std::string last;
    learn::TrainCallbacks callbacks;
    callbacks.on_step = [&](Index step, double loss, double rate) {
      progress.update(step, fmt::format("loss {:.3e}  rate {:.1e}{}", loss, rate, last));
    };
    callbacks.on_validation = [&](const learn::LogRow& row, bool best) {
      if (std::isfinite(row.validation))
        last = fmt::format("  validation {}{}", field::error_text(row.validation), best ? " (best)" : "");
    };
    callbacks.on_event = [&](const std::string& what) { progress.say(what); };
    callbacks.should_stop = interrupted;
    outcome = trainer.run(callbacks);
  }
  const auto& counters = trainer.counters();
  fmt::print("{} steps in {}; {}\n", counters.step, format_duration(counters.seconds), best_text(trainer.best().error));
  if (const auto excess = config.budget_bytes() > 0 ? excess_text(config.budget_bytes(), most_resident_bytes()) : "";
      !excess.empty())
    fmt::print(stderr, "warning: {}\n", excess);
  if (group.size() > 1)
    fmt::print("{} ranks; {:.1f} s of that went into waiting for each other\n", group.size(), group.seconds() - waited);
  if (outcome == learn::TrainOutcome::interrupted) {
    if (trainer.has_begun())
      fmt::print(stderr, "interrupted; continue with --resume\n");
    else
      fmt::print(stderr, "interrupted before there was anything to keep; {} holds the earlier run as it was\n",
                 config.out);
    return {};
  }
  if (learn::has_large_cases(config, dataset)) {
    fmt::print(
        "cases are larger than train.memory_budget: the test cases are not judged (\"fluidsplat eval\" does, "
        "with each in memory)\n");
    return {};
  }
  EvaluationSource source;
  source.model = trainer.folder().model();
  source.split = split;
  source.split_name = trainer.folder().file("split.json").string();
  source.out = config.out;
  source.threads = int(config.threads);
  const auto summary = run_evaluation(source, dataset);
  if (summary && config.classical && !trainer.trained().model->is_fitted_in_closed_form())
    tell_best_classical(data, split, trainer.trained().sensors, *summary, config.out);
  return summary;
}

}  // namespace fluidsplat::app
