// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fluidsplat {

// The typed, documented keys of a TOML config.  A settings struct registers its members once:
//
//   void bind(Config& c) { c.add("train.steps", &steps, "optimiser steps").at_least(1); }
//
// and gets reading, `a.b=c` overrides, an error that names the nearest key for a wrong one, and a commented dump of the
// resolved values.  The bound struct must outlive the Config.
class Config {
 public:
  // A value of an enum, which files and users know by its name.
  struct Choice {
    std::function<std::string()> get;
    std::function<bool(const std::string&)> set;  // false when there is no such name
  };
  using Target =
      std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::int64_t>*, std::vector<double>*,
                   std::vector<std::string>*, std::vector<std::vector<double>>*, Choice>;
  struct Key {
    std::string name, doc;
    Target target;
    double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices;
    bool is_optional = false;
    // In JSON: a file written before this key existed keeps its default.
    Key& optional() { return is_optional = true, *this; }
    Key& at_least(double v) { return min = v, *this; }
    Key& at_most(double v) { return max = v, *this; }
    Key& one_of(std::vector<std::string> names) { return choices = std::move(names), *this; }
  };

  Key& add(std::string name, Target target, std::string doc);
  // A setting whose text becomes an enum where it is read, so that no other code compares strings.
  template <class Enum>
  Key& add_choice(std::string name, Enum* target, std::vector<std::pair<std::string, Enum>> values, std::string doc);

  void read_file(const std::filesystem::path& path);
  // `source` is what an error calls the text.
  void read_text(std::string_view toml, const std::string& source);
  // "a.b=c": c is TOML, or a bare word that is taken as a string.
  void override_with(const std::string& assignment);
  // The same with lists written without brackets and quotes, as on a command line: "u,v,p" or "0.1,-2".
  void override_with_list(const std::string& name, const std::string& value);

  // Throws Error unless every value is within its range.
  void check() const;

  // The keys of one table ("model" for model.*) as a JSON object, and back.  Reading asks for every key that is not
  // optional, and for no others.
  nlohmann::json to_json(const std::string& table) const;
  void read_json(const nlohmann::json& object, const std::string& table, const std::string& where);

  // The text of one key of a TOML file whose other keys are not known yet; empty when it is not there.
  static std::optional<std::string> peek(std::string_view toml, const std::string& name, const std::string& source);

  // The value of a key as TOML.
  std::string value_text(const std::string& name) const;
  // Every key with its value and its documentation as a comment.
  std::string to_toml() const;
  const std::vector<Key>& keys() const { return keys_; }

 private:
  Key* find(const std::string& name);
  [[noreturn]] void unknown(const std::string& name, const std::string& source) const;
  std::vector<Key> keys_;
};

template <class Enum>
Config::Key& Config::add_choice(std::string name, Enum* target, std::vector<std::pair<std::string, Enum>> values,
                                std::string doc) {
  std::vector<std::string> names;
  for (const auto& [text, value] : values) names.push_back(text);
  const auto get = [target, values] {
    for (const auto& [text, value] : values)
      if (value == *target) return text;
    return std::string("?");
  };
  const auto set = [target, values](const std::string& wanted) {
    for (const auto& [text, value] : values)
      if (text == wanted) return *target = value, true;
    return false;
  };
  return add(std::move(name), Choice{get, set}, std::move(doc)).one_of(std::move(names));
}

// The candidate with the smallest edit distance, or "" when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace fluidsplat
