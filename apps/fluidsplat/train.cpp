// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/run_training.h"

#include <memory>

#include "apps/benchmark_data.h"
#include "apps/commands.h"
#include "apps/file_kind.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "learn/distributed/join_group.h"

namespace fluidsplat::app {
namespace {

struct TrainOptions {
  std::string config, engine, from;
  std::vector<std::string> overrides;
  bool resume = false, force = false, show = false;
  learn::JoinOptions join;
  double timeout = 600;
};

void train(const TrainOptions& o, learn::Group& group) {
  auto overrides = o.overrides;
  if (!o.engine.empty()) overrides.push_back("train.engine=" + o.engine);
  if (!o.from.empty()) overrides.push_back("train.from=" + model_file(o.from).string());
  expect_kind(o.config, FileKind::config);
  auto config = learn::read_train_config(o.config, overrides);
  if (o.show) {
    if (group.is_first()) fmt::print("{}", learn::to_toml(config));
    return;
  }
  if (!config.data.source.empty()) {
    config.check();
    if (group.size() > 1 && !std::filesystem::exists(config.data.file))
      fail("{}: is not there, and data that are made of data.source are not made by {} ranks; make them with one first",
           config.data.file, group.size());
    config.data.file = prepare_benchmark(config.data.benchmark, config.data.source, config.data.file);
    if (config.data.file.empty()) return;
  }
  run_training(config, o.resume ? EarlierRun::continued : o.force ? EarlierRun::replaced : EarlierRun::kept, group);
}

}  // namespace

void add_train(CLI::App& app) {
  auto o = std::make_shared<TrainOptions>();
  auto* command = app.add_subcommand("train", "train a model as a TOML config says");
  command->add_option("config", o->config, "the config, for example configs/cylinder/surface-8.toml")->required();
  command->add_option("overrides", o->overrides, "settings that differ from the config: key=value ...");
  command->add_option("--engine", o->engine, "the same as train.engine=...: our kernels, or plain libtorch")
      ->check(CLI::IsMember({"fused", "reference"}));
  command->add_option("--from", o->from, "the same as train.from=...: start from this model (file or run folder)");
  auto* resume = command->add_flag("--resume", o->resume,
                                   "continue from the run folder's checkpoint; train.steps=N makes a run longer");
  command->add_flag("--force", o->force, "replace the run that the folder holds")->excludes(resume);
  command->add_flag("--show", o->show, "print every setting with its value and meaning, and stop");
  command->add_option("--backend", o->join.backend, "what ranks that train together talk over: gloo");
  command->add_option("--timeout", o->timeout, "seconds after which a rank that does not answer ends them all")
      ->check(CLI::Range(1.0, 1e6));
  command->callback([o] {
    o->join.timeout = std::chrono::milliseconds(Index(1000 * o->timeout));
    learn::work_in_group(o->join, [&](learn::Group& group) { train(*o, group); });
  });
}

}  // namespace fluidsplat::app
