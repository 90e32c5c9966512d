// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat {
namespace {

std::string place(const toml::node& node, const std::string& source) {
  return fmt::format("{}:{}", source, node.source().begin.line);
}

const char* type_name(const Config::Target& target) {
  constexpr const char* kNames[] = {
      "true or false",           "a whole number",    "a number",          "a string",
      "a list of whole numbers", "a list of numbers", "a list of strings", "a list of lists of numbers"};
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
    if (std::find(key.choices.begin(), key.choices.end(), **p) == key.choices.end())
      fail("{}: {} = \"{}\" is not known; choose one of: {}", where, key.name, **p, fmt::join(key.choices, ", "));
}

void assign(Config::Key& key, const toml::node& node, const std::string& where) {
  const bool ok = std::visit([&](auto* target) { return read_value(node, *target); }, key.target);
  if (!ok) fail("{}: {} must be {}", where, key.name, type_name(key.target));
  check_key(key, where);
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
    std::vector<std::size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t previous = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (name[i - 1] != candidate[j - 1])});
        diagonal = previous;
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
                   {}});
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

void Config::read_text(std::string_view text, const std::string& source) {
  toml::table table;
  try {
    table = toml::parse(text, source);
  } catch (const toml::parse_error& e) {
    fail("{}:{}:{}: {}", source, e.source().begin.line, e.source().begin.column, e.description());
  }
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
  const bool is_string = std::holds_alternative<std::string*>(key->target);
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
  return std::visit([](const auto* v) { return show(*v); }, it->target);
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
