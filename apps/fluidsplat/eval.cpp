// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <numeric>

#include "apps/commands.h"
#include "apps/run_evaluation.h"
#include "field/dataset_file.h"
#include "field/split.h"
#include "learn/setup.h"

namespace fluidsplat::app {

void add_eval(CLI::App& app) {
  struct Options {
    std::string run, data, split, out, cases = "test", forces;
    std::vector<std::string> overrides;
    int threads = 0;
  };
  auto o = std::make_shared<Options>();
  auto* command = app.add_subcommand("eval", "measure a trained model against data");
  command->add_option("model", o->run, "a model file, or a run folder with model.safetensors in it")->required();
  command->add_option("--data", o->data, "the dataset")->required();
  command->add_option("--cases", o->cases, "which cases of the split")
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->add_option("--split", o->split, "the split file (default: split.json beside the model)");
  command->add_option("--out", o->out, "folder for cases.csv and metrics.json (default: beside the model)");
  command->add_option("--forces", o->forces,
                      "TOML with a [forces] section: drag, lift and moment from the pressure on the wall");
  command->add_option("--force", o->overrides, "one such setting: forces.velocity=1.0 ...");
  command->add_option("--threads", o->threads, "0 = OMP_NUM_THREADS or all processors")->check(CLI::Range(0, 1024));
  command->callback([o] {
    EvaluationSource source;
    source.model = model_file(o->run);
    source.data = o->data;
    source.out = o->out.empty() ? source.model.parent_path() : std::filesystem::path(o->out);
    source.threads = o->threads;
    learn::check_dataset_exists(o->data);
    const field::DatasetFile dataset(o->data);
    source.cases.resize(dataset.size());
    std::iota(source.cases.begin(), source.cases.end(), 0);
    if (o->cases != "all") {
      const auto split = field::read_split(
          o->split.empty() ? source.model.parent_path() / "split.json" : std::filesystem::path(o->split),
          dataset.size());
      source.cases = o->cases == "test" ? split.test : o->cases == "train" ? split.train : split.validation;
    }
    if (!o->forces.empty() || !o->overrides.empty()) {
      source.forces.emplace();
      Config keys;
      source.forces->bind(keys);
      if (!o->forces.empty()) keys.read_file(o->forces);
      for (const auto& text : o->overrides) keys.override_with(text);
      source.forces->check(dataset.schema());
    }
    run_evaluation(source);
  });
}

}  // namespace fluidsplat::app
