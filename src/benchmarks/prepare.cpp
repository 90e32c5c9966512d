// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/prepare.h"

#include "base/error.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

fs::path dataset_of(const fs::path& source, const fs::path& file) {
  auto folder = fs::absolute(source).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  return file.parent_path() / fmt::format("{}-{}.h5", file.stem().string(), folder.stem().string());
}

}  // namespace

Prepared prepare(const Benchmark& benchmark, const std::string& source, const fs::path& file, const RunHooks& hooks) {
  const bool embedded = source == "embedded";
  Prepared result{.file = embedded ? file : dataset_of(source, file)};
  if (fs::exists(result.file)) return result;
  result.made = true;
  fs::path files = source;
  if (embedded) {
    files = file.parent_path() / benchmark.embedded;
    result.outcome = benchmark.make(files, hooks);
    if (!result.outcome.complete) return result;
  }
  const auto making = std::move(result.outcome.notes);
  result.outcome = benchmark.import(files, result.file, hooks);
  result.outcome.notes.insert(result.outcome.notes.begin(), making.begin(), making.end());
  return result;
}

}  // namespace fluidsplat::benchmarks
