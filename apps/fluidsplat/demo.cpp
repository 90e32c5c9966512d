// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/make_wake.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "apps/run_training.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "field/error_text.h"
#include "learn/model/open_model.h"
#include "learn/train/run_folder.h"
#include "report/run_page.h"

namespace fluidsplat::app {

void add_demo(CLI::App& app) {
  struct Options {
    std::string config = "configs/cylinder/quick.toml", out = "report";
    int frames = 300;
    std::vector<std::string> overrides;
    bool force = false;
  };
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("demo", "simulate a wake, train on 50 frames of it, reconstruct the others, report");
  command->add_option("--config", o->config, "the training config");
  command->add_option("--out", o->out, "folder for the report");
  command->add_option("--frames", o->frames, "frames to simulate, 50 of them for training")
      ->check(CLI::Range(80, 100000));
  command->add_option("overrides", o->overrides, "settings that differ from the config: key=value ...");
  command->add_flag("--force", o->force, "replace an earlier demo's run (default: a new folder beside it)");
  command->callback([o] {
    auto config = learn::read_train_config(o->config, o->overrides);
    if (!o->force)
      config.out = learn::first_free(config.out, [](const auto& folder) {
                     return learn::RunFolder(folder).holds_run();
                   }).string();
    fmt::print("1/3  simulating a cylinder wake at Reynolds number 100\n");
    benchmarks::CylinderWakeOptions wake;
    wake.flow = sim::CylinderCase::quick();
    wake.frames = o->frames;
    if (!make_wake(config.data.file, wake)) return;
    fmt::print("2/3  training on {} of its {} frames\n", config.data.train_cases, o->frames);
    const auto summary = run_training(config, EarlierRun::replaced);
    if (!summary) return;
    fmt::print("3/3  writing the report\n");
    const field::DatasetFile dataset(config.data.file);
    const auto model = learn::open_field_model(model_file(config.out), available_threads());
    report::write_run_page(*model, dataset, {config.out, o->out, "A cylinder wake from eight wall sensors"});
    fmt::print("\nreconstruction error on {} unseen frames: {} relative L2\nlook at {}/index.html\n", summary->cases,
               field::error_text(summary->relative_l2), o->out);
  });
}

}  // namespace fluidsplat::app
