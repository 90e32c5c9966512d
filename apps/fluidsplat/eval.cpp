// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <numeric>

#include "apps/commands.h"
#include "apps/run_training.h"
#include "field/dataset_file.h"
#include "field/split.h"
#include "learn/setup.h"

namespace fluidsplat::app {

void add_eval(CLI::App& app) {
  struct Options {
    std::string run, data, split, out;
    std::string cases = "test", device = "cpu";
    int threads = 0;
  };
  auto o = std::make_shared<Options>();
  auto* command = app.add_subcommand("eval", "measure a trained model against data");
  command->add_option("model", o->run, "a model file, or a run folder with model.safetensors in it")
      ->required();
  command->add_option("--data", o->data, "the dataset")->required();
  command->add_option("--cases", o->cases, "which cases of the split")
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command->add_option("--out", o->out, "folder for cases.csv and metrics.json (default: beside the model)");
  command->add_option("--device", o->device, "cpu, cuda ...");
  command->add_option("--threads", o->threads, "0 = all processors")->check(CLI::Range(0, 1024));
  command->callback([o] {
    std::filesystem::path model = o->run;
    if (std::filesystem::is_directory(model)) model /= "model.safetensors";
    const auto folder = model.parent_path();
    learn::check_dataset_exists(o->data);
    const field::DatasetFile dataset(o->data);
    std::vector<std::int64_t> cases(static_cast<std::size_t>(dataset.size()));
    std::iota(cases.begin(), cases.end(), 0);
    if (o->cases != "all") {
      const auto split = field::read_split(
          o->split.empty() ? folder / "split.json" : std::filesystem::path(o->split), dataset.size());
      cases = o->cases == "test" ? split.test : o->cases == "train" ? split.train : split.validation;
    }
    run_evaluation(model.string(), o->data, cases, o->out.empty() ? folder.string() : o->out, o->device,
                   o->threads);
  });
}

}  // namespace fluidsplat::app
