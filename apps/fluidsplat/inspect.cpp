// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "learn/model/open_model.h"
#include "report/model_inspection.h"
#include "uncertainty/calibration_text.h"

namespace fluidsplat::app {

void add_inspect(CLI::App& app) {
  struct Options {
    std::string model;
    report::InstantSource instant;
    std::filesystem::path out = "inspection";
    Index shown = 64;
  };
  auto o = std::make_shared<Options>();
  auto* command = app.add_subcommand("inspect", "what a model is made of, and its primitives for a reading");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  auto* readings = command->add_option("--readings", o->instant.readings, "CSV of readings to show the primitives for");
  command->add_option("--row", o->instant.row, "which row of it, from 1")->needs(readings);
  auto* data = command->add_option("--data", o->instant.data,
                                   "a dataset: its mesh to draw on, and its readings without --readings");
  command->add_option("--case", o->instant.index, "which case of the dataset, from 0")->needs(data);
  command->add_option("--out", o->out, "folder for primitives.csv, .vtp and .png");
  command->add_option("--shown", o->shown, "how many of the weightiest primitives the picture shows")
      ->check(CLI::NonNegativeNumber);
  command->callback([o] {
    const auto file = model_file(o->model);
    const auto opened = learn::open_field_model(file, 1);
    auto& model = *opened;
    const auto calibration = uncertainty::read_calibration(model::ModelFile::open(file));
    fmt::print("{}{}", report::describe_model(model), uncertainty::describe(calibration.get()));
    if (o->instant.readings.empty() && o->instant.data.empty()) return;
    const auto files = report::write_primitives(model, report::load_instant(model, o->instant), o->out, o->shown);
    if (files.empty())
      fmt::print("the model has no primitives to show\n");
    else
      fmt::print("{}: {}\n", o->out.string(), fmt::join(files, ", "));
  });
}

}  // namespace fluidsplat::app
