// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/split.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <unordered_set>

#include "base/atomic_file.h"
#include "base/config.h"
#include "base/error.h"

namespace fluidsplat::field {
namespace {

constexpr std::pair<const char*, std::vector<Index> Split::*> kLists[] = {
    {"train", &Split::train}, {"validation", &Split::validation}, {"test", &Split::test}};

void check_sizes(Index cases, Index train, Index validation) {
  if (train < 1 || validation < 0 || train + validation > cases)
    fail("split: {} training and {} validation cases asked for, the dataset has {}", train, validation, cases);
}

std::string label(Index index, const Dataset& dataset) {
  const auto& name = dataset.case_name(index);
  return name.empty() ? fmt::format("case {}", index) : fmt::format("case {} \"{}\"", index, name);
}

// Cases as a split file writes them: an index, or a name.
class CaseFinder {
 public:
  CaseFinder(const Dataset& dataset, const std::string& file) : dataset_(dataset), file_(file) {}

  Index operator()(const nlohmann::json& entry) {
    if (entry.is_string()) return by_name(entry.get<std::string>());
    if (!entry.is_number_integer()) fail("{}: {} is neither the index nor the name of a case", file_, entry.dump());
    const auto index = entry.get<Index>();
    if (index < 0 || index >= dataset_.size())
      fail("{}: case {} is outside {}, which has {} cases", file_, index, dataset_.name(), dataset_.size());
    return index;
  }

 private:
  Index by_name(const std::string& name) {
    if (cases_.empty())
      for (Index i = 0; i < dataset_.size(); ++i) cases_.emplace(dataset_.case_name(i), i);
    const auto [first, last] = cases_.equal_range(name);
    if (first == last) {
      std::vector<std::string> known;
      for (const auto& [other, index] : cases_) known.push_back(other);
      const auto near = nearest_name(name, known);
      fail("{}: {} has no case \"{}\"{}", file_, dataset_.name(), name,
           near.empty() ? "" : fmt::format("; is \"{}\" meant?", near));
    }
    if (std::next(first) != last)
      fail("{}: \"{}\" is the name of case {} and of case {} of {}; list them by index", file_, name, first->second,
           std::next(first)->second, dataset_.name());
    return first->second;
  }

  const Dataset& dataset_;
  const std::string& file_;
  std::multimap<std::string, Index> cases_;  // filled when the first name is asked for
};

void check_names(const std::vector<std::string>& names, const std::vector<Index>& list, const Dataset& dataset,
                 const char* list_name, const std::string& file) {
  if (names.size() != list.size())
    fail("{}: {} names for {} cases in \"{}\"", file, names.size(), list.size(), list_name);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != dataset.case_name(list[i]))
      fail(
          "{}: calls case {} \"{}\", but in {} its name is \"{}\"; the split belongs to other data or to another order "
          "of them: list the cases by name and leave \"names\" out",
          file, list[i], names[i], dataset.name(), dataset.case_name(list[i]));
}

Split parse_split(const nlohmann::json& json, const Dataset& dataset, const std::string& where) {
  CaseFinder find(dataset, where);
  Split split;
  split.seed = json.value("seed", std::uint64_t{0});
  for (const auto& [name, list] : kLists) {
    if (!json.at(name).is_array()) fail("{}: \"{}\" is not a list", where, name);
    for (const auto& entry : json.at(name)) (split.*list).push_back(find(entry));
    if (json.contains("names"))
      check_names(json.at("names").at(name).get<std::vector<std::string>>(), split.*list, dataset, name, where);
  }
  const std::unordered_set<Index> train(split.train.begin(), split.train.end());
  for (const auto& [name, list] : kLists) {
    std::unordered_set<Index> seen;
    for (auto index : split.*list) {
      if (!seen.insert(index).second) fail("{}: {} is in \"{}\" twice", where, label(index, dataset), name);
      if (list != &Split::train && train.contains(index))
        fail("{}: {} is in \"train\" and in \"{}\"", where, label(index, dataset), name);
    }
  }
  return split;
}

}  // namespace

std::vector<Index> torch_randperm(Index n, std::uint64_t seed, Index count) {
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  const Index wanted = count < 0 ? n : std::min(count, n);
  for (Index i = 0; i < wanted; ++i) std::swap(order[i], order[i + Index(generator()) % (n - i)]);
  order.resize(wanted);
  return order;
}

Split protocol_split(Index cases, Index train, Index validation, std::uint64_t seed) {
  check_sizes(cases, train, validation);
  const auto order = torch_randperm(cases, seed);
  Split split;
  split.seed = seed;
  split.train.assign(order.begin(), order.begin() + train);
  split.test.assign(order.begin() + train, order.end());
  const auto rest = std::ssize(split.test);
  for (Index i = 0; i < validation; ++i) split.validation.push_back(split.test[i * rest / validation]);
  std::sort(split.test.begin(), split.test.end());
  return split;
}

Split disjoint_split(Index cases, Index train, Index validation, std::uint64_t seed) {
  check_sizes(cases, train, validation);
  const auto order = torch_randperm(cases, seed);
  Split split;
  split.seed = seed;
  split.train.assign(order.begin(), order.begin() + train);
  split.validation.assign(order.begin() + train, order.begin() + train + validation);
  split.test.assign(order.begin() + train + validation, order.end());
  return split;
}

void write_split(const std::filesystem::path& path, const Split& split, const Dataset* dataset) {
  nlohmann::ordered_json json = {{"format", "fluidsplat-split"}, {"seed", split.seed}}, names;
  bool any_name = false;
  for (const auto& [name, list] : kLists) {
    json[name] = split.*list;
    names[name] = nlohmann::ordered_json::array();
    for (auto index : split.*list) {
      names[name].push_back(dataset ? dataset->case_name(index) : "");
      any_name = any_name || (dataset && !dataset->case_name(index).empty());
    }
  }
  if (any_name) json["names"] = names;
  write_file(path, json.dump(1) + "\n");
}

Split read_split(const std::filesystem::path& path, const Dataset& dataset) {
  try {
    return parse_split(nlohmann::json::parse(read_file(path, std::size_t{1} << 28)), dataset, path.string());
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a split file (JSON with \"train\", \"validation\" and \"test\" lists): {}", path.string(), e.what());
  }
}

std::string splits_to_json(const std::map<std::string, Split>& splits) {
  nlohmann::json json;
  for (const auto& [split_name, split] : splits) {
    json[split_name]["seed"] = split.seed;
    for (const auto& [name, list] : kLists) json[split_name][name] = split.*list;
  }
  return json.dump();
}

std::map<std::string, Split> splits_from_json(const std::string& text, const Dataset& dataset) {
  std::map<std::string, Split> splits;
  try {
    const auto all = nlohmann::json::parse(text);
    for (const auto& [name, json] : all.items())
      splits[name] = parse_split(json, dataset, fmt::format("{}, split \"{}\"", dataset.name(), name));
  } catch (const nlohmann::json::exception& e) {
    fail("{}: its splits are damaged: {}", dataset.name(), e.what());
  }
  return splits;
}

}  // namespace fluidsplat::field
