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

namespace fluidsplat::app {

void add_train(CLI::App& app) {
  struct Options {
    std::string config, engine, from;
    std::vector<std::string> overrides;
    bool resume = false, force = false, show = false;
  };
  auto o = std::make_shared<Options>();
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
  command->callback([o] {
    if (!o->engine.empty()) o->overrides.push_back("train.engine=" + o->engine);
    if (!o->from.empty()) o->overrides.push_back("train.from=" + model_file(o->from).string());
    expect_kind(o->config, FileKind::config);
    auto config = learn::read_train_config(o->config, o->overrides);
    if (o->show) {
      fmt::print("{}", learn::to_toml(config));
      return;
    }
    if (!config.data.source.empty()) {
      config.check();
      config.data.file = prepare_benchmark(config.data.benchmark, config.data.source, config.data.file);
      if (config.data.file.empty()) return;
    }
    run_training(config, o->resume ? EarlierRun::continued : o->force ? EarlierRun::replaced : EarlierRun::kept);
  });
}

}  // namespace fluidsplat::app
