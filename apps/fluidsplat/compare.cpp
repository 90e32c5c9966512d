// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/compare.h"

#include <fmt/format.h>

#include <memory>

#include "apps/benchmark_data.h"
#include "apps/commands.h"
#include "apps/file_kind.h"
#include "apps/progress_hooks.h"
#include "base/atomic_file.h"
#include "base/folder_lock.h"
#include "field/dataset_file.h"
#include "learn/config/setup.h"
#include "report/comparison_page.h"

namespace fluidsplat::app {

void add_compare(CLI::App& app) {
  struct Options {
    std::string config, out;
    std::vector<std::string> overrides;
    baselines::CompareRequest request;
  };
  auto o = std::make_shared<Options>();
  o->request.minutes = 5;
  auto* command = app.add_subcommand("compare", "which method to use: classical ones and networks on the same data");
  command->add_option("config", o->config, "a training config: data, sensors, split, model")->required();
  command->add_option("overrides", o->overrides, "settings that differ from the config: key=value ...");
  command
      ->add_option("--minutes", o->request.minutes,
                   "time for training all networks together; 0: only the methods that need none")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--networks", o->request.networks, "kinds of models to train (default: all there are)");
  command->add_option("--cases", o->request.cases, "unseen cases to judge by, at most")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--out", o->out,
                      "folder for index.html, comparison.csv and the trained models (default: the "
                      "config's out with -compare at its end)");
  command->callback([o] {
    expect_kind(o->config, FileKind::config);
    auto& config = o->request.config = learn::read_train_config(o->config, o->overrides);
    config.out = o->out.empty() ? config.out + "-compare" : o->out;
    config.check();
    if (!config.data.source.empty())
      config.data.file = prepare_benchmark(config.data.benchmark, config.data.source, config.data.file);
    if (config.data.file.empty()) return;
    learn::check_dataset_exists(config.data.file);
    const field::DatasetFile dataset(config.data.file);
    const field::SeenData data(dataset, learn::how_seen(config.data));
    const auto split = learn::make_split(config.data, dataset);
    const FolderLock lock(config.out, "comparison");
    std::optional<reconstruct::Comparison> result;
    {
      ProgressHooks progress;
      o->request.hooks = progress.hooks();
      result = baselines::compare(o->request, data, split, learn::make_sensors(config.sensors, dataset));
    }
    if (!result) return;
    fmt::print("{} unseen cases, relative L2 error; {} training cases, {} sensors\n\n{}\n{}\n", result->cases,
               result->training_cases, result->sensors, reconstruct::comparison_table(*result),
               reconstruct::recommend(*result));
    const std::filesystem::path folder = config.out;
    write_file(folder / "comparison.csv", reconstruct::comparison_csv(*result));
    fmt::print("{}: comparison.csv, index.html\n",
               report::write_comparison_page(*result, folder).parent_path().string());
  });
}

}  // namespace fluidsplat::app
