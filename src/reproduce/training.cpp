// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/training.h"

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "learn/config/measure_step.h"
#include "learn/train/trainer.h"
#include "reproduce/budget.h"
#include "reproduce/plan.h"
#include "reproduce/read_json.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

// Beside the trainer's own files: the settings with the steps that fit the time, and how training ended.
constexpr const char *kSettings = "settings.toml", *kEnd = "trained.json";
constexpr std::size_t kLargest = 1 << 20;

std::string name_of(learn::TrainOutcome outcome) {
  if (outcome == learn::TrainOutcome::early_stopped) return "early-stopped";
  return outcome == learn::TrainOutcome::out_of_time ? "out-of-time" : "finished";
}

learn::TrainConfig with_paths(learn::TrainConfig config, const TrainingRequest& request) {
  config.data.file = request.data_file.string();
  config.out = request.folder.string();
  return config;
}

// The settings that this folder's training has, decided now if no process has done so.
learn::TrainConfig settled(const TrainingRequest& request, const field::Dataset& dataset, const field::Split& split,
                           const field::SensorLayout& sensors) {
  const auto file = request.folder / kSettings;
  if (fs::exists(file)) return learn::parse_train_config(read_file(file, kLargest), file.string());
  auto config = request.config;
  if (request.measure) {
    const auto cost =
        learn::measure_step(with_paths(config, request), dataset, split, sensors, learn::StepClock::kProcessor);
    config = fit_to_budget(std::move(config), cost);
  }
  write_file(file, settings_text(config));
  return config;
}

// Continues from a checkpoint that fits; one that does not is of another place of the data, and is left.
std::unique_ptr<learn::Trainer> make_trainer(const learn::TrainConfig& config, const field::Dataset& dataset,
                                             const field::Split& split, const field::SensorLayout& sensors) {
  auto trainer = std::make_unique<learn::Trainer>(config, dataset, split, sensors);
  if (!fs::exists(trainer->folder().checkpoint())) return trainer;
  try {
    trainer->resume();
  } catch (const Error&) {
    trainer = std::make_unique<learn::Trainer>(config, dataset, split, sensors);
  }
  return trainer;
}

}  // namespace

void forget_training(const fs::path& folder) {
  learn::RunFolder(folder).remove_run();
  for (const char* name : {kSettings, kEnd}) fs::remove(folder / name);
}

std::optional<Trained> train(const TrainingRequest& request, const field::Dataset& dataset, const field::Split& split,
                             const field::SensorLayout& sensors, const RunHooks& hooks) {
  fs::create_directories(request.folder);
  Trained out;
  out.config = settled(request, dataset, split, sensors);
  const learn::RunFolder folder(request.folder);
  out.model = folder.model();
  const auto end = request.folder / kEnd;
  if (!fs::exists(end) || !fs::exists(out.model)) {
    const auto config = with_paths(out.config, request);
    const auto trainer = make_trainer(config, dataset, split, sensors);
    learn::TrainCallbacks callbacks;
    callbacks.should_stop = [&] { return hooks.should_stop(); };
    callbacks.on_step = [&](Index step, double, double) {
      hooks.tell(double(step) / double(config.schedule.steps), "training");
    };
    const auto outcome = trainer->run(callbacks);
    if (outcome == learn::TrainOutcome::interrupted) return {};
    const nlohmann::json text = {
        {"ended", name_of(outcome)}, {"steps", trainer->counters().step}, {"seconds", trainer->counters().seconds}};
    write_file(end, text.dump() + "\n");
  }
  read_json<int>(read_file(end, kLargest), end.string(), [&](const nlohmann::json& j) {
    j.at("ended").get_to(out.ended);
    j.at("steps").get_to(out.steps);
    j.at("seconds").get_to(out.seconds);
    return 0;
  });
  return out;
}

}  // namespace fluidsplat::reproduce
