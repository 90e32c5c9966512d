// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/content_hash.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = std::size_t{1} << 24;
constexpr const char *kConfig = "config.toml", *kMetrics = "metrics.json", *kManifest = "manifest.json";

fs::path folder_name(const Subject& subject, const std::string& name, const std::string& asked,
                     const std::string& data_hash) {
  const auto digits = field::ContentHash().add(asked).add(data_hash).add(results_version()).digest().substr(0, 8);
  return fs::path(subject.benchmark) / fmt::format("{}-{}", name, digits);
}

bool is_same(const Manifest& m, const Run& run, const std::string& data_hash, Index cases) {
  if (m.subject != run.subject || m.data_hash != data_hash || m.version != results_version() || m.cases != cases)
    return false;
  for (const Index n : run.sensors)
    if (std::ranges::find(m.sensors, n) == m.sensors.end()) return false;
  const auto asked = settings_text(run.config);
  if (m.asked == asked) return true;
  try {
    return settings_today(m.asked) == asked;
  } catch (const Error&) {
    return false;  // it has a setting that there is no longer
  }
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::is_directory(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace

fs::path run_folder(const Run& run, const std::string& data_hash) {
  return folder_name(run.subject, run.name(), settings_text(run.config), data_hash);
}

std::optional<Finished> read_finished(const fs::path& folder) {
  if (!fs::exists(folder / kManifest) || !fs::exists(folder / kMetrics)) return {};
  Finished out{manifest_from(read_file(folder / kManifest, kLargest), (folder / kManifest).string()),
               outcome_from(read_file(folder / kMetrics, kLargest), (folder / kMetrics).string())};
  return out;
}

std::optional<Finished> Store::find(const Run& run, const std::string& data_hash, Index cases) const {
  const auto prefix = run.name() + "-";
  for (const auto& folder : folders_in(runs() / run.subject.benchmark)) {
    if (!folder.filename().string().starts_with(prefix)) continue;
    if (auto found = read_finished(folder); found && is_same(found->manifest, run, data_hash, cases)) return found;
  }
  return {};
}

std::vector<Finished> Store::all() const {
  std::vector<Finished> out;
  for (const auto& benchmark : folders_in(runs()))
    for (const auto& folder : folders_in(benchmark))
      if (auto found = read_finished(folder)) out.push_back(std::move(*found));
  return out;
}

void Store::put(const Finished& finished) const {
  const auto& m = finished.manifest;
  const auto seed = m.is_classical ? std::string() : fmt::format("-s{}", m.seed);
  const auto name = fmt::format("{}-{}{}", m.subject.layout, m.subject.method, seed);
  const auto folder = runs() / folder_name(m.subject, name, m.asked, m.data_hash);
  fs::create_directories(folder);
  fs::remove(folder / kManifest);
  write_file(folder / kConfig, m.config);
  write_file(folder / kMetrics, to_json(finished.outcome).dump(2) + "\n");
  write_file(folder / kManifest, to_json(m).dump(2) + "\n");
}

}  // namespace fluidsplat::reproduce
