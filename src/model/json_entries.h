// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading JSON that is not trusted: what is missing, of a wrong type or out of range is an Error that names the file
// and the entry.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::model {

// One JSON object.
class Entries {
 public:
  Entries(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail("{}: expected a JSON object", where_);
  }
  const nlohmann::json& at(const char* name) const {
    const auto it = object_.find(name);
    if (it == object_.end()) fail("{}: \"{}\" is missing", where_, name);
    return *it;
  }
  bool has(const char* name) const { return object_.contains(name); }
  const nlohmann::json& list(const char* name) const {
    if (!at(name).is_array()) fail("{}: \"{}\" must be a list", where_, name);
    return at(name);
  }
  float number(const char* name, double low, double high) const {
    const nlohmann::json& value = at(name);
    if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
      fail("{}: \"{}\" = {} must be a number from {} to {}", where_, name, value.dump(), low, high);
    return value.get<float>();
  }
  std::string text(const char* name) const {
    if (!at(name).is_string()) fail("{}: \"{}\" must be a text", where_, name);
    return at(name).get<std::string>();
  }
  // The same for an object inside.
  Entries inside(const char* name) const { return {at(name), where_ + ", \"" + name + "\""}; }
  const std::string& where() const { return where_; }

 private:
  const nlohmann::json& object_;
  std::string where_;
};

// A list of `count` finite numbers; `what` is what a message calls them.
inline std::vector<double> numbers(const nlohmann::json& value, Index count, const char* what,
                                   const std::string& where) {
  if (!value.is_array() || std::ssize(value) != count) fail("{}: expected {} {}", where, count, what);
  std::vector<double> out;
  for (const nlohmann::json& v : value) {
    if (!v.is_number() || !std::isfinite(v.get<double>()))
      fail("{}: one of the {} is not a finite number", where, what);
    out.push_back(v.get<double>());
  }
  return out;
}

}  // namespace fluidsplat::model
