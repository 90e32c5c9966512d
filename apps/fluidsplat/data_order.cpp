// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "apps/data_commands.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "field/dataset_file.h"

namespace fluidsplat::app {
namespace {

struct OrderOptions {
  std::string file, out;
  int compress = 0;
};

void write_ordered(const OrderOptions& o) {
  if (std::filesystem::exists(o.out)) fail("{}: is there already; name another file", o.out);
  const field::DatasetFile dataset(o.file);
  field::DatasetWriter writer(o.out, dataset.schema(), dataset.title());
  writer.order_along_curve();
  writer.compress(o.compress);
  writer.set_domain(dataset.domain());
  writer.set_notes(dataset.notes());
  std::map<std::string, field::Split> splits;
  for (const auto& name : dataset.split_names()) splits[name] = dataset.named_split(name);
  writer.set_splits(splits);
  {
    Progress progress("writing", dataset.size());
    for (Index i = 0; i < dataset.size(); ++i) {
      if (interrupted()) return fmt::print(stderr, "interrupted; nothing was written\n");
      writer.add(dataset.load(i));
      progress.update(i + 1);
    }
  }
  writer.commit();
  fmt::print("{}: the {} cases of {}, points along a curve\n", o.out, dataset.size(), o.file);
}

}  // namespace

void add_data_order(CLI::App& data) {
  auto o = std::make_shared<OrderOptions>();
  auto* command = data.add_subcommand(
      "order", "write a dataset again, with points that are near each other together in the file (docs/scale.md)");
  command->add_option("dataset", o->file, "the dataset")->required();
  command->add_option("--out", o->out, "the dataset to write")->required();
  command->add_option("--compress", o->compress, "how hard fields are compressed: 0 (not at all) to 9")
      ->check(CLI::Range(0, 9));
  command->callback([o] { write_ordered(*o); });
}

}  // namespace fluidsplat::app
