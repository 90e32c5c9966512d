// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/wake_series.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/folder_lock.h"
#include "field/dataset_file.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

fs::path part_file(const fs::path& file, double reynolds) {
  return file.parent_path() / fmt::format("{}.re{:g}.part.h5", file.stem().string(), reynolds);
}

std::string note(const field::DatasetFile& data, const std::string& name) {
  const auto found = data.notes().find(name);
  return found == data.notes().end() ? "" : found->second;
}

// Whether an earlier call left this part, made with the same settings.
bool has_part(const fs::path& part, const CylinderWakeOptions& o) {
  if (!fs::exists(part)) return false;
  try {
    const field::DatasetFile data(part);
    return data.size() == o.frames && data.schema() == wake_schema(o.velocity_and_pressure) &&
           note(data, "reynolds") == fmt::format("{:g}", o.flow.reynolds) &&
           note(data, "cells_per_diameter") == fmt::format("{:g}", o.flow.cells_per_diameter) &&
           note(data, "transient") == (o.transient > 0 ? fmt::format("{:g}", o.transient) : "");
  } catch (const Error&) {
    return false;  // damaged
  }
}

void join(const fs::path& file, const CylinderWakeOptions& options, const std::vector<double>& reynolds) {
  auto schema = wake_schema(options.velocity_and_pressure);
  schema.descriptors = {{"Re", ""}};
  field::DatasetWriter writer(file, schema, "Cylinder wakes at several Reynolds numbers");
  std::map<std::string, std::string> notes;
  for (const double re : reynolds) {
    const field::DatasetFile part(part_file(file, re));
    for (const auto& [name, text] : part.notes()) notes[fmt::format("re{:g}.{}", re, name)] = text;
    for (Index i = 0; i < part.size(); ++i) {
      auto c = part.load(i);
      c.name = fmt::format("re{:g}-{}", re, c.name);
      c.descriptors = field::Vector::Constant(1, float(re));
      writer.add(c);
    }
  }
  writer.set_notes(notes);
  writer.commit();
}

}  // namespace

std::vector<sim::WakeReport> make_wake_series(const fs::path& file, const CylinderWakeOptions& options,
                                              const std::vector<double>& reynolds, const RunHooks& hooks,
                                              const Shard& shard) {
  if (std::set<double>(reynolds.begin(), reynolds.end()).size() != reynolds.size())
    fail("the Reynolds numbers {} hold one twice", fmt::join(reynolds, ", "));
  std::vector<sim::WakeReport> reports;
  const auto at = [&](double re) {
    auto one = options;
    one.flow.reynolds = re;
    return one;
  };
  for (const double re : shard.part_of(reynolds)) {
    const auto one = at(re);
    if (has_part(part_file(file, re), one)) continue;
    RunHooks part_hooks = hooks;
    part_hooks.progress = [&](double done, const std::string& part) {
      hooks.tell(done, fmt::format("Re {:g}: {}", re, part));
    };
    reports.push_back(make_cylinder_wake(part_file(file, re), one, part_hooks));
    if (!reports.back().complete) return reports;
  }
  // Of processes that are done at the same time, one finds the folder taken or the parts gone: the other has joined
  // them.
  std::optional<FolderLock> lock;
  try {
    lock.emplace(fs::absolute(file).parent_path(), "joining wakes");
  } catch (const Error&) {
    if (shard.is_whole()) throw;
    return reports;
  }
  if (!std::ranges::all_of(reynolds, [&](double re) { return has_part(part_file(file, re), at(re)); })) return reports;
  join(file, options, reynolds);
  for (const double re : reynolds) fs::remove(part_file(file, re));
  return reports;
}

}  // namespace fluidsplat::benchmarks
