// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "apps/commands.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "learn/config/setup.h"

namespace fluidsplat::app {
namespace {

struct EvalOptions {
  EvaluationSource source;
  std::string run, data, split, forces;
  std::vector<std::string> overrides;
};

// Only the run's own test cases, with its own sensors, belong beside the model: that is what a report calls unseen.
std::filesystem::path default_folder(const EvalOptions& o) {
  const auto run = o.source.model.parent_path();
  std::string name = "eval-" + o.source.cases;
  if (!o.source.sensors.empty()) name += "-" + o.source.sensors.stem().string();
  if (o.source.count > 0) name += fmt::format("-{}-sensors", o.source.count);
  if (!o.split.empty()) name += "-" + std::filesystem::path(o.split).stem().string();
  return name == "eval-test" ? run : run / name;
}

void evaluate(EvalOptions& o) {
  auto& source = o.source;
  source.model = model_file(o.run);
  learn::check_dataset_exists(o.data);
  const field::DatasetFile dataset(o.data);
  const auto split = o.split.empty() ? source.model.parent_path() / "split.json" : std::filesystem::path(o.split);
  if (source.cases != "all" || std::filesystem::exists(split)) {
    source.split_name = split.string();
    source.split = field::read_split(split, dataset);
  }
  if (!o.forces.empty() || !o.overrides.empty()) {
    source.forces.emplace();
    Config keys;
    source.forces->bind(keys);
    if (!o.forces.empty()) keys.read_file(o.forces);
    for (const auto& text : o.overrides) keys.override_with(text);
    source.forces->check(dataset.schema());
  }
  if (source.out.empty()) source.out = default_folder(o);
  run_evaluation(source, dataset);
}

}  // namespace

void add_eval(CLI::App& app) {
  auto o = std::make_shared<EvalOptions>();
  auto* command = app.add_subcommand("eval", "measure a trained model against data");
  command->add_option("model", o->run, "a model file, or a run folder with model.safetensors in it")->required();
  command->add_option("--data", o->data, "the dataset")->required();
  command->add_option("--cases", o->source.cases, "which cases of the split")
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command->add_option("--sensors", o->source.sensors,
                      "CSV of other sensors than those of training: a column per coordinate, name, channels");
  command
      ->add_option("--count", o->source.count,
                   "another number of sensors: drawn, along the wall, or the first of those at fixed places")
      ->check(CLI::Range(1, 100000));
  command->add_option("--out", o->source.out,
                      "folder for cases.csv and metrics.json (default: beside the model for its own test cases and "
                      "sensors, a folder of their own there for others)");
  command->add_option("--forces", o->forces,
                      "TOML with a [forces] section: drag, lift and moment from the pressure on the wall");
  command->add_option("--force", o->overrides, "one such setting: forces.velocity=1.0 ...");
  command->add_option("--threads", o->source.threads, "0 = OMP_NUM_THREADS or all processors")
      ->check(CLI::Range(0, 1024));
  command->callback([o] { evaluate(*o); });
}

}  // namespace fluidsplat::app
