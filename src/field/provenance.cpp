// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/provenance.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "field/content_hash.h"

namespace fluidsplat::field {

nlohmann::ordered_json to_json(const Provenance& p) {
  auto out = nlohmann::ordered_json::object();
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  add("data", p.data);
  add("data_hash", p.data_hash);
  add("split", p.split);
  add("split_hash", p.split_hash);
  add("cases", p.cases);
  if (p.seed) out["seed"] = *p.seed;
  add("model", p.model);
  add("model_hash", p.model_hash);
  add("sensors", p.sensors);
  add("version", p.version);
  add("command", p.command);
  add("date", p.date);
  return out;
}

std::string comment_lines(const Provenance& provenance) {
  const auto entries = to_json(provenance);
  std::string text;
  for (const auto& [key, value] : entries.items()) {
    auto line = value.is_string() ? value.get<std::string>() : value.dump();
    // What is on another line would not be a comment.
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    text += fmt::format("# {}: {}\n", key, line);
  }
  return text;
}

std::string split_hash(const Split& split) {
  ContentHash hash;
  for (const auto* list : {&split.train, &split.validation, &split.test}) {
    for (auto index : *list) hash.add(fmt::format("{} ", index));
    hash.add("\n");
  }
  return hash.digest();
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

}  // namespace fluidsplat::field
