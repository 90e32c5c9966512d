// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/commands.h"
#include "apps/write_report.h"

namespace fluidsplat::app {

void add_report(CLI::App& app) {
  auto o = std::make_shared<ReportSource>();
  o->title = "Reconstruction from sensors";
  auto* command = app.add_subcommand("report", "show a finished run as one HTML page");
  command->add_option("run", o->run, "the run folder")->required();
  command->add_option("--data", o->data, "the dataset it was judged on")->required();
  command->add_option("--out", o->out, "folder for index.html (default: report in the run folder)");
  command->add_option("--title", o->title, "the page's title");
  command->callback([o] {
    if (o->out.empty()) o->out = o->run / "report";
    write_report(*o);
    fmt::print("look at {}\n", (o->out / "index.html").string());
  });
}

}  // namespace fluidsplat::app
