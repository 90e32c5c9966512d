// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/spec.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::model {

constexpr const char* kTable = "model";

void Spec::check() const {
  if (dim != 2 && dim != 3) fail("model: the data has {} coordinates; 2 and 3 are supported", dim);
  if (channels < 1 || channels > 1024) fail("model: {} channels are not supported", channels);
}

std::string Spec::describe() const {
  std::string text;
  const auto settings = to_json();
  for (const auto& [name, value] : settings.items()) text += fmt::format("{}: {}\n", name, value.dump());
  return text;
}

void Spec::fit_to(const Schema& schema) {
  dim = schema.dim();
  channels = std::ssize(schema.channels);
  features = std::ssize(schema.features);
  descriptors = std::ssize(schema.descriptors);
}

void Spec::bind_all(Config& c) {
  c.add("model.dim", &dim, "coordinates of a point").at_least(2).at_most(3);
  c.add("model.channels", &channels, "quantities reconstructed at a point").at_least(1).at_most(1024);
  c.add("model.features", &features, "inputs given at every point").at_least(0).at_most(1024);
  c.add("model.descriptors", &descriptors, "inputs given once per case").at_least(0).at_most(1024);
  c.add("model.geometry_features", &geometry_features, "inputs given at every wall point").at_least(0).at_most(1024);
  bind(c);
}

nlohmann::json Spec::to_json() const {
  const auto copy = clone();
  Config settings;
  copy->bind_all(settings);
  return settings.to_json(kTable);
}

void Spec::read_json(const nlohmann::json& json, const std::string& where) {
  Config settings;
  bind_all(settings);
  settings.read_json(json, kTable, where);
  try {
    check();
  } catch (const Error& e) {
    fail("{}: {}", where, e.what());
  }
}

}  // namespace fluidsplat::model
