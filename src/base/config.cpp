// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat {
namespace {

std::string place(const toml::node& node, const std::string& source) {
  return fmt::format("{}:{}", source, node.source().begin.line);
}

toml::table parse(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& e) {
    fail("{}:{}:{}: {}", source, e.source().begin.line, e.source().begin.column, e.description());
  }
}

const char* type_name(const Config::Target& target) {
  constexpr const char* kNames[] = {
      "true or false",           "a whole number",    "a number",          "a string",
      "a list of whole numbers", "a list of numbers", "a list of strings", "a list of lists of numbers",
      "one of a few names"};
  return kNames[target.index()];
}

template <typename T>
bool read_scalar(const toml::node& node, T& out) {
  if constexpr (std::is_same_v<T, double>) {
    if (auto v = node.value_exact<double>()) return out = *v, true;
    if (auto v = node.value_exact<std::int64_t>()) return out = double(*v), true;
    return false;
  } else {
    if (auto v = node.value_exact<T>()) return out = *v, true;
    return false;
  }
}

template <typename T>
bool read_value(const toml::node& node, T& out) {
  return read_scalar(node, out);
}

template <typename T>
bool read_value(const toml::node& node, std::vector<T>& out) {
  const toml::array* array = node.as_array();
  if (!array) return false;
  std::vector<T> values(array->size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!read_value(*array->get(i), values[i])) return false;
  out = std::move(values);
  return true;
}

[[noreturn]] void refuse_choice(const Config::Key& key, const std::string& value, const std::string& where) {
  fail("{}: {} = \"{}\" is not known; choose one of: {}", where, key.name, value, fmt::join(key.choices, ", "));
}

void check_key(const Config::Key& key, const std::string& where) {
  auto check_number = [&](double v) {
    if (!std::isfinite(v)) fail("{}: {} = {} is not finite", where, key.name, v);
    if (v < key.min) fail("{}: {} = {} is too small, the least is {}", where, key.name, v, key.min);
    if (v > key.max) fail("{}: {} = {} is too large, the most is {}", where, key.name, v, key.max);
  };
  if (auto* p = std::get_if<std::int64_t*>(&key.target)) check_number(double(**p));
  if (auto* p = std::get_if<double*>(&key.target)) check_number(**p);
  if (auto* p = std::get_if<std::vector<double>*>(&key.target))
    for (double v : **p) check_number(v);
  if (auto* p = std::get_if<std::vector<std::int64_t>*>(&key.target))
    for (auto v : **p) check_number(double(v));
  if (auto* p = std::get_if<std::vector<std::vector<double>>*>(&key.target))
    for (const auto& row : **p)
      for (double v : row) check_number(v);
  if (auto* p = std::get_if<std::string*>(&key.target); p && !key.choices.empty())
    if (std::find(key.choices.begin(), key.choices.end(), **p) == key.choices.end()) refuse_choice(key, **p, where);
}

// `read` brings a value of any of the targets' types out of a node; false when it is of another type.
template <class Read>
void assign(Config::Key& key, const Read& read, const std::string& where) {
  const auto take = [&]<class T>(T& target) {
    if constexpr (std::is_same_v<T, Config::Choice>) {
      std::string name;
      if (!read(name)) return false;
      if (!target.set(name)) refuse_choice(key, name, where);
      return true;
    } else {
      return read(*target);
    }
  };
  if (!std::visit(take, key.target)) fail("{}: {} must be {}", where, key.name, type_name(key.target));
  check_key(key, where);
}

void assign(Config::Key& key, const toml::node& node, const std::string& where) {
  assign(
      key, [&](auto& out) { return read_value(node, out); }, where);
}

// Only what has the type exactly: nlohmann's own conversions turn 2.5 into 2 and true into 1.
bool has_type(const nlohmann::json& j, const bool*) {
  return j.is_boolean();
}
bool has_type(const nlohmann::json& j, const std::int64_t*) {
  return j.is_number_integer();
}
bool has_type(const nlohmann::json& j, const double*) {
  return j.is_number();
}
bool has_type(const nlohmann::json& j, const std::string*) {
  return j.is_string();
}
template <typename T>
bool has_type(const nlohmann::json& j, const std::vector<T>*) {
  return j.is_array() && std::all_of(j.begin(), j.end(), [](const auto& v) { return has_type(v, (const T*)nullptr); });
}

void assign(Config::Key& key, const nlohmann::json& value, const std::string& where) {
  const auto read = [&]<class T>(T& out) {
    if (!has_type(value, &out)) return false;
    value.get_to(out);
    return true;
  };
  assign(key, read, where);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", int(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string show(bool v) {
  return v ? "true" : "false";
}
std::string show(std::int64_t v) {
  return fmt::format("{}", v);
}
std::string show(double v) {
  std::string s = fmt::format("{}", v);
  return s.find_first_of(".einf") == std::string::npos ? s + ".0" : s;
}
std::string show(const std::string& v) {
  return quoted(v);
}
template <typename T>
std::string show(const std::vector<T>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i ? ", " : "") + show(values[i]);
  return out + "]";
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto& candidate : candidates) {
    // Letters that are missing, too many, wrong, or in the wrong order (as in "trian"), one each.
    std::vector<std::size_t> row(candidate.size() + 1), above, two_above;
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= name.size(); ++i) {
      two_above = std::exchange(above, row);
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (name[i - 1] != candidate[j - 1])});
        if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] && name[i - 2] == candidate[j - 1])
          row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

Config::Key& Config::add(std::string name, Target target, std::string doc) {
  keys_.push_back({std::move(name),
                   std::move(doc),
                   target,
                   -std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity(),
                   {},
                   false});
  return keys_.back();
}

Config::Key* Config::find(const std::string& name) {
  auto it = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == name; });
  return it == keys_.end() ? nullptr : &*it;
}

void Config::unknown(const std::string& name, const std::string& source) const {
  std::vector<std::string> names;
  for (const auto& key : keys_) names.push_back(key.name);
  const std::string near = nearest_name(name, names);
  if (near.empty()) fail("{}: there is no setting \"{}\"", source, name);
  fail("{}: there is no setting \"{}\"; did you mean \"{}\"?", source, name, near);
}

void Config::read_file(const std::filesystem::path& path) {
  read_text(fluidsplat::read_file(path, 1 << 20), path.string());
}

std::optional<std::string> Config::peek(std::string_view toml, const std::string& name, const std::string& source) {
  const auto table = parse(toml, source);
  return table.at_path(name).value<std::string>();
}

void Config::read_text(std::string_view text, const std::string& source) {
  const auto table = parse(text, source);
  std::function<void(const toml::table&, const std::string&)> walk = [&](const toml::table& t,
                                                                         const std::string& prefix) {
    for (const auto& [k, node] : t) {
      const std::string name = prefix + std::string(k.str());
      if (Key* key = find(name)) {
        assign(*key, node, place(node, source));
      } else if (const auto* sub = node.as_table()) {
        walk(*sub, name + ".");
      } else {
        unknown(name, place(node, source));
      }
    }
  };
  walk(table, "");
}

void Config::override_with(const std::string& assignment) {
  const auto eq = assignment.find('=');
  if (eq == std::string::npos || eq == 0)
    fail("\"{}\": an override is written key=value, for example train.steps=1000", assignment);
  const std::string name = assignment.substr(0, eq), value = assignment.substr(eq + 1);
  Key* key = find(name);
  if (!key) unknown(name, "override");
  const bool is_string =
      std::holds_alternative<std::string*>(key->target) || std::holds_alternative<Choice>(key->target);
  toml::table table;
  try {
    table = toml::parse("v = " + value);
  } catch (const toml::parse_error&) {
    if (!is_string) fail("override: {} must be {}, not \"{}\"", name, type_name(key->target), value);
    table.insert_or_assign("v", value);
  }
  if (is_string && !table.get("v")->is_string()) table.insert_or_assign("v", value);
  assign(*key, *table.get("v"), "override");
}

void Config::override_with_list(const std::string& name, const std::string& value) {
  const Key* key = find(name);
  if (!key) unknown(name, "override");
  const bool texts = std::holds_alternative<std::vector<std::string>*>(key->target);
  const bool numbers = std::holds_alternative<std::vector<double>*>(key->target) ||
                       std::holds_alternative<std::vector<std::int64_t>*>(key->target);
  if ((!texts && !numbers) || value.starts_with('[')) return override_with(name + "=" + value);
  std::vector<std::string> items(1);
  for (char c : value)
    if (c == ',')
      items.emplace_back();
    else
      items.back() += c;
  override_with(name + "=" + (texts ? show(items) : fmt::format("[{}]", fmt::join(items, ", "))));
}

std::string Config::value_text(const std::string& name) const {
  const auto it = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == name; });
  if (it == keys_.end()) unknown(name, "config");
  const auto text = []<class T>(const T& target) {
    if constexpr (std::is_same_v<T, Choice>)
      return show(target.get());
    else
      return show(*target);
  };
  return std::visit(text, it->target);
}

nlohmann::json Config::to_json(const std::string& table) const {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& key : keys_) {
    if (!key.name.starts_with(table + ".")) continue;
    const auto value = []<class T>(const T& target) -> nlohmann::json {
      if constexpr (std::is_same_v<T, Choice>)
        return target.get();
      else
        return *target;
    };
    out[key.name.substr(table.size() + 1)] = std::visit(value, key.target);
  }
  return out;
}

void Config::read_json(const nlohmann::json& object, const std::string& table, const std::string& where) {
  if (!object.is_object()) fail("{}: expected a JSON object", where);
  for (const auto& [name, value] : object.items())
    if (!find(table + "." + name)) unknown(table + "." + name, where);
  for (auto& key : keys_) {
    if (!key.name.starts_with(table + ".")) continue;
    const auto it = object.find(key.name.substr(table.size() + 1));
    if (it != object.end())
      assign(key, *it, where);
    else if (!key.is_optional)
      fail("{}: the setting \"{}\" is missing", where, key.name);
  }
}

void Config::check() const {
  for (const auto& key : keys_) check_key(key, "config");
}

std::string Config::to_toml() const {
  // Tables in the order of their first key, so that the dump reads like the documentation.
  std::vector<std::string> tables;
  auto table_of = [](const Key& k) {
    const auto dot = k.name.rfind('.');
    return dot == std::string::npos ? std::string() : k.name.substr(0, dot);
  };
  for (const auto& key : keys_)
    if (std::find(tables.begin(), tables.end(), table_of(key)) == tables.end()) tables.push_back(table_of(key));
  std::stable_partition(tables.begin(), tables.end(), [](const std::string& t) { return t.empty(); });

  std::string out;
  for (const auto& table : tables) {
    if (!table.empty()) out += fmt::format("{}[{}]\n", out.empty() ? "" : "\n", table);
    for (const auto& key : keys_) {
      if (table_of(key) != table) continue;
      const std::string leaf = table.empty() ? key.name : key.name.substr(table.size() + 1);
      const std::string value = value_text(key.name);
      std::string doc = key.doc;
      if (!key.choices.empty()) doc += fmt::format(" ({})", fmt::join(key.choices, ", "));
      out += fmt::format("{} = {}  # {}\n", leaf, value, doc);
    }
  }
  return out;
}

}  // namespace fluidsplat
