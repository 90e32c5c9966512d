// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/data_commands.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "field/dataset_file.h"
#include "mesh/export_cases.h"

namespace fluidsplat::app {

void add_data_export(CLI::App& data) {
  struct Options {
    std::string file;
    std::filesystem::path out = "cases";
    Index first = 0, count = 0;
  };
  auto o = std::make_shared<Options>();
  auto* command = data.add_subcommand("export", "write a dataset's cases for ParaView (VTI, VTU or VTP, and a .pvd)");
  command->add_option("dataset", o->file, "the dataset")->required();
  command->add_option("--out", o->out, "folder for the files");
  command->add_option("--first", o->first, "first case, from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--count", o->count, "how many (0 = all that follow)")->check(CLI::NonNegativeNumber);
  command->callback([o] {
    const field::DatasetFile dataset(o->file);
    std::optional<Progress> progress;
    mesh::ExportHooks hooks;
    hooks.progress = [&](Index done, Index total) {
      if (!progress) progress.emplace("writing", total);
      progress->update(done);
    };
    hooks.interrupted = interrupted;
    const auto report = mesh::export_cases(dataset, o->first, o->count, o->out, hooks);
    progress.reset();
    fmt::print("{} case{}: open {}\n", report.cases, report.cases == 1 ? "" : "s", report.series.string());
  });
}

}  // namespace fluidsplat::app
