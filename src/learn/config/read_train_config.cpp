// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

TrainConfig read_train_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_train_config(read_file(file, 1 << 20), file.string(), overrides);
}

TrainConfig parse_train_config(const std::string& toml, const std::string& source,
                               const std::vector<std::string>& overrides) {
  TrainConfig config;
  config.model = ModelRegistry::instance().make_spec(kind_of(toml, source, overrides));
  Config keys;
  config.bind(keys);
  keys.read_text(toml, source);
  for (const auto& text : overrides) keys.override_with(text);
  return config;
}

std::string to_toml(TrainConfig config) {
  Config keys;
  config.bind(keys);
  return keys.to_toml();
}

}  // namespace fluidsplat::learn
