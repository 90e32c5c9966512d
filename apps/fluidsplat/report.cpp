// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "base/threads.h"
#include "learn/model/open_model.h"
#include "report/run_page.h"

namespace fluidsplat::app {

void add_report(CLI::App& app) {
  struct Options {
    std::string data;
    report::RunPage page;
  };
  auto o = std::make_shared<Options>();
  o->page.title = "Reconstruction from sensors";
  auto* command = app.add_subcommand("report", "show a finished run as one HTML page");
  command->add_option("run", o->page.run, "the run folder")->required();
  command->add_option("--data", o->data, "the dataset it was judged on")->required();
  command->add_option("--out", o->page.out, "folder for index.html (default: report in the run folder)");
  command->add_option("--title", o->page.title, "the page's title");
  command->callback([o] {
    if (o->page.out.empty()) o->page.out = o->page.run / "report";
    const field::DatasetFile dataset(o->data);
    const auto file = model_file(o->page.run);
    const auto model = learn::open_field_model(file, available_threads());
    o->page.calibration = uncertainty::read_calibration(model::ModelFile::open(file));
    fmt::print("look at {}\n", report::write_run_page(*model, dataset, o->page).string());
  });
}

}  // namespace fluidsplat::app
