// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/data_folder.h"

#include <fmt/format.h>

#include <optional>

#include "base/folder_lock.h"
#include "benchmarks/prepare.h"
#include "field/dataset_hash.h"
#include "learn/config/train_config.h"

namespace fluidsplat::reproduce {

DataFolder::DataFolder(std::filesystem::path folder, std::map<std::string, std::string> sources)
    : folder_(std::move(folder)), sources_(std::move(sources)) {
  for (const auto& [name, source] : sources_) benchmarks::find_benchmark(name);
}

const BenchmarkData* DataFolder::open(const std::string& benchmark, const RunHooks& hooks) {
  if (const auto found = open_.find(benchmark); found != open_.end()) return &found->second;
  const auto given = sources_.find(benchmark);
  const auto source = given == sources_.end() ? std::string(learn::kEmbedded) : given->second;
  const auto wanted = folder_ / (benchmark + ".h5");
  // One process makes data, another is told that it does.
  std::optional<FolderLock> lock;
  if (!std::filesystem::exists(wanted)) lock.emplace(folder_, "making data");
  const auto prepared = benchmarks::prepare(benchmarks::find_benchmark(benchmark), source, wanted, hooks);
  if (prepared.made && !prepared.outcome.complete) return nullptr;
  BenchmarkData data;
  data.file = prepared.file;
  data.dataset = std::make_unique<field::DatasetFile>(prepared.file);
  data.hash = field::hash_dataset(*data.dataset);
  const auto whose = source == learn::kEmbedded ? std::string("embedded data") : std::string("published files");
  data.title = data.dataset->title().empty() ? whose : fmt::format("{}: {}", whose, data.dataset->title());
  return &(open_[benchmark] = std::move(data));
}

}  // namespace fluidsplat::reproduce
