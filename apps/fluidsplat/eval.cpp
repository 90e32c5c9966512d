// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "apps/file_kind.h"
#include "apps/force_options.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folder_lock.h"
#include "field/content_hash.h"
#include "learn/config/setup.h"

namespace fluidsplat::app {
namespace {

struct EvalOptions {
  EvaluationSource source;
  std::string run, data, split, shard = "1/1";
  std::vector<std::string> forces;  // TOML files, and settings key=value
};

// Whether the run beside a model was made of this dataset: by its hash where the run has been judged, else by its file.
bool is_own_data(const std::filesystem::path& run, const std::string& data) {
  const auto metrics = run / "metrics.json", config = run / "config.toml";
  if (std::filesystem::exists(metrics)) {
    const auto json = nlohmann::json::parse(read_file(metrics, 1 << 26), nullptr, false);
    const auto hash = nlohmann::json::json_pointer("/provenance/data_hash");
    if (!json.is_discarded() && json.contains(hash)) return json.at(hash) == field::hash_file(data);
  }
  if (!std::filesystem::exists(config)) return false;
  const auto file = Config::peek(read_file(config, 1 << 20), "data.file", config.string());
  std::error_code ignored;
  return file && std::filesystem::equivalent(run / *file, data, ignored);
}

// Only the run's own test cases, with its own sensors, belong beside the model: that is what a report calls unseen.
std::filesystem::path default_folder(const EvalOptions& o, bool own_data) {
  const auto run = o.source.model.parent_path();
  std::string name = "eval-" + o.source.cases;
  if (!own_data) name += "-" + std::filesystem::path(o.data).stem().string();
  if (!o.source.sensors.empty()) name += "-" + o.source.sensors.stem().string();
  if (o.source.count > 0) name += fmt::format("-{}-sensors", o.source.count);
  if (o.source.disturbance.noise > 0) name += fmt::format("-noise-{:g}", o.source.disturbance.noise);
  if (o.source.disturbance.dead > 0) name += fmt::format("-dead-{}", o.source.disturbance.dead);
  if (!o.split.empty()) name += "-" + std::filesystem::path(o.split).stem().string();
  return name == "eval-test" ? run : run / name;
}

void evaluate(EvalOptions& o) {
  auto& source = o.source;
  source.model = model_file(o.run);
  learn::check_dataset_exists(o.data);
  expect_kind(o.data, FileKind::dataset);
  const field::DatasetFile dataset(o.data);
  const auto run = source.model.parent_path();
  const bool own_data = source.own_data = is_own_data(run, o.data);
  const auto split = o.split.empty() ? run / "split.json" : std::filesystem::path(o.split);
  // Cases of other data have nothing to do with the split of the run.
  const bool strangers = !own_data && o.split.empty() && std::filesystem::exists(run / "config.toml");
  if (source.cases.empty()) source.cases = strangers ? "all" : "test";
  if (strangers && source.cases != "all")
    fail(
        "{}: is not what the run in {} was trained on, so its split says nothing of it; name one with --split, or judge "
        "--cases all",
        o.data, run.string());
  if (!strangers && (source.cases != "all" || std::filesystem::exists(split))) {
    source.split_name = split.string();
    source.split = field::read_split(split, dataset);
  }
  source.forces = read_forces(o.forces, dataset.schema());
  if (source.out.empty()) source.out = default_folder(o, own_data);
  std::optional<FolderLock> lock;
  std::error_code ignored;
  source.shard = parse_shard(o.shard);
  // Shards share the folder: each writes a file of its own, the last one the rest.
  if (source.shard.is_whole() && std::filesystem::equivalent(source.out, run, ignored)) lock.emplace(run, "evaluation");
  if (run_evaluation(source, dataset)) fmt::print("{}: cases.csv, metrics.json\n", source.out.string());
}

}  // namespace

void add_eval(CLI::App& app) {
  auto o = std::make_shared<EvalOptions>();
  auto* command = app.add_subcommand("eval", "measure a trained model against data");
  command->add_option("model", o->run, "a model file, or a run folder with model.safetensors in it")->required();
  command->add_option("--data", o->data, "the dataset")->required();
  o->source.cases.clear();
  command
      ->add_option("--cases", o->source.cases,
                   "which cases of the split (default: test; all of data that the run was not trained on)")
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command->add_option("--sensors", o->source.sensors,
                      "CSV of other sensors than those of training: a column per coordinate, name, channels");
  command
      ->add_option("--count", o->source.count,
                   "another number of sensors: drawn, along the wall, or the first of those at fixed places")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--noise", o->source.disturbance.noise,
                   "noise of the readings, as a share of how much they vary in training (0.05)")
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--dead", o->source.disturbance.dead, "so many sensors say nothing, others in every case")
      ->check(CLI::Range(0, 100000));
  command->add_option("--seed", o->source.disturbance.seed, "of noise and dead sensors");
  command->add_option("--out", o->source.out,
                      "folder for cases.csv and metrics.json (default: beside the model for its own test cases and "
                      "sensors, a folder of their own there for other data, cases or sensors)");
  command->add_option("--forces", o->forces, kForcesHelp);
  command->add_option("--shard", o->shard,
                      "which part of the cases this process judges, such as 1/2; the last one puts all together");
  command
      ->add_option("--level", o->source.level,
                   "intervals of the calibrated forces and probes that hold the truth with this probability (0.9), in "
                   "functionals.csv")
      ->check(CLI::Range(1e-9, 1.0));
  command->add_option("--threads", o->source.threads, "0 = OMP_NUM_THREADS or all processors")
      ->check(CLI::Range(0, 1024));
  command->callback([o] { evaluate(*o); });
}

}  // namespace fluidsplat::app
