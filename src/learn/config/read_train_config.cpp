// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "learn/config/train_config.h"
#include "learn/model/registry.h"

namespace fluidsplat::learn {
namespace {

constexpr const char* kKind = "model.kind";

// model.kind as an override, the text or the default gives it.
std::string kind_of(const std::string& toml, const std::string& source, const std::vector<std::string>& overrides) {
  const auto prefix = std::string(kKind) + "=";
  for (auto it = overrides.rbegin(); it != overrides.rend(); ++it)
    if (it->starts_with(prefix)) return it->substr(prefix.size());
  return Config::peek(toml, kKind, source).value_or(model::FluidSplatSpec::kKind);
}

// `folder` is what the text's paths are relative to; overrides are what a user types where he is.
TrainConfig parse(const std::string& toml, const std::string& source, const std::filesystem::path& folder,
                  const std::vector<std::string>& overrides) {
  TrainConfig config;
  config.model = ModelRegistry::instance().make_spec(kind_of(toml, source, overrides));
  Config keys;
  config.bind(keys);
  keys.read_text(toml, source);
  for (auto* path : config.paths())
    if (!path->empty()) *path = (folder / *path).lexically_normal().string();
  for (const auto& text : overrides) keys.override_with(text);
  return config;
}

// What does not change the arithmetic of a step, or only which steps are taken.
const std::vector<std::string> kMayChange = {
    "train.steps",     "train.max_minutes",    "train.stop_at",          "train.min_steps",      "train.early_stop",
    "train.threads",   "train.validate_every", "train.checkpoint_every", "train.explode_factor", "train.max_rollbacks",
    "train.classical", "data.cache_gigabytes", "train.memory_budget",    "model.correction"};

}  // namespace

TrainConfig read_train_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse(read_file(file, 1 << 20), file.string(), file.parent_path(), overrides);
}

TrainConfig parse_train_config(const std::string& toml, const std::string& source,
                               const std::vector<std::string>& overrides) {
  return parse(toml, source, {}, overrides);
}

TrainConfig seen_from(const std::filesystem::path& folder, TrainConfig config) {
  const auto plain = [](const std::filesystem::path& p) { return std::filesystem::absolute(p).lexically_normal(); };
  // "runs/a/" and "runs/a" are one folder.
  auto base = plain(folder);
  if (!base.has_filename()) base = base.parent_path();
  for (auto* path : config.paths()) {
    if (path->empty()) continue;
    auto whole = plain(*path);
    if (!whole.has_filename()) whole = whole.parent_path();
    *path = whole.lexically_relative(base).string();
  }
  return config;
}

void check_may_go_on(const std::string& before, const TrainConfig& now, const std::string& where) {
  auto was = parse_train_config(before, where), is = now;
  if (was.model->kind() != is.model->kind())
    fail("{}: is a run of a model of kind \"{}\", not \"{}\"; start a new run with out=...", where, was.model->kind(),
         is.model->kind());
  Config was_keys, is_keys;
  was.bind(was_keys);
  is.bind(is_keys);
  std::vector<std::string> differ;
  for (const auto& key : is_keys.keys()) {
    if (std::ranges::find(kMayChange, key.name) != kMayChange.end()) continue;
    const auto old = was_keys.value_text(key.name), text = is_keys.value_text(key.name);
    if (old != text) differ.push_back(fmt::format("{} was {} and is {}", key.name, old, text));
  }
  if (differ.empty()) return;
  fail(
      "{}: was made with other settings: {}; resume with the same, or start a new run with out=... (these may change: {})",
      where, fmt::join(differ, ", "), fmt::join(kMayChange, ", "));
}

std::string to_toml(TrainConfig config) {
  Config keys;
  config.bind(keys);
  return keys.to_toml();
}

}  // namespace fluidsplat::learn
