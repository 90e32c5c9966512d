// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/data_commands.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "field/dataset_file.h"
#include "reconstruct/series.h"

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
    const auto end = o->count > 0 ? std::min(dataset.size(), o->first + o->count) : dataset.size();
    if (o->first >= end) fail("--first {}: {} has cases 0 to {}", o->first, o->file, dataset.size() - 1);
    std::filesystem::create_directories(o->out);
    std::vector<io::PvdEntry> entries;
    Progress progress("writing", end - o->first);
    for (auto index = o->first; index < end && !interrupted(); ++index) {
      const auto c = dataset.load(index);
      const auto target = reconstruct::target_from_mesh(c.mesh);
      reconstruct::Reconstruction fields;
      fields.field = c.fields;
      const auto name = fmt::format("case_{:05}{}", index, target.extension());
      auto vtk = reconstruct::fill(target, fields, dataset.schema(), {});
      reconstruct::add_mesh_data(vtk, target, dataset.schema());
      io::write_vtk(o->out / name, vtk);
      // Cases without times play in order.
      entries.push_back({c.time, name});
      progress.update(index - o->first + 1);
    }
    const bool timed = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.time != 0; });
    for (std::size_t i = 0; !timed && i < entries.size(); ++i) entries[i].time = double(i);
    io::write_pvd(o->out / "cases.pvd", entries);
    fmt::print("{} case{}: open {}\n", entries.size(), entries.size() == 1 ? "" : "s", (o->out / "cases.pvd").string());
  });
}

}  // namespace fluidsplat::app
