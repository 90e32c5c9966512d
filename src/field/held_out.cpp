// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/held_out.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <sstream>

#include "base/config.h"
#include "base/error.h"

namespace fluidsplat::field {
namespace {

struct Comparison {
  Index descriptor;  // -1: the time
  std::string relation;
  std::vector<double> values;  // several for "in"

  bool holds(const Case& c) const {
    return std::any_of(values.begin(), values.end(), [&](double value) { return holds(c, value); });
  }
  bool holds(const Case& c, double value) const {
    const double x = descriptor < 0 ? c.time : double(c.descriptors[descriptor]);
    // Descriptors are stored as floats: 0.1 in the config is the 0.1 in the data.
    const double y = descriptor < 0 ? value : double(float(value));
    if (relation == ">") return x > y;
    if (relation == ">=") return x >= y;
    if (relation == "<") return x < y;
    if (relation == "<=") return x <= y;
    return relation == "!=" ? x != y : x == y;
  }
};

// "70" or "70,110,150"; empty when it is none.
std::vector<double> parse_numbers(const std::string& text) {
  std::vector<double> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const auto [next, error] = std::from_chars(at, end, out.emplace_back());
    if (error != std::errc()) return {};
    if (next == end) return out;
    if (*next != ',') return {};
    at = next + 1;
  }
}

std::vector<Comparison> parse(const std::string& condition, const Dataset& dataset) {
  std::vector<std::string> known = {"time"};
  for (const auto& d : dataset.schema().descriptors) known.push_back(d.name);
  std::vector<Comparison> out;
  std::istringstream words(condition);
  std::string name, relation, number, link;
  do {
    words >> name >> relation >> number;
    const auto values = parse_numbers(number);
    const bool is_relation = relation == ">" || relation == ">=" || relation == "<" || relation == "<=" ||
                             relation == "==" || relation == "!=";
    if (!words || values.empty() || (values.size() == 1 ? !is_relation && relation != "in" : relation != "in"))
      fail(
          "data.held_out = \"{}\": cannot be read; write for example \"Re > 150\", \"Re > 150 and angle <= 5\" or "
          "\"Re in 70,110\"",
          condition);
    const auto it = std::find(known.begin(), known.end(), name);
    if (it == known.end()) {
      const auto near = nearest_name(name, known);
      fail("data.held_out = \"{}\": {} has no descriptor \"{}\"{}; it has: {}", condition, dataset.name(), name,
           near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near), fmt::join(known, ", "));
    }
    out.push_back({it - known.begin() - 1, relation, values});
  } while (words >> link && link == "and");
  if (words) fail("data.held_out = \"{}\": \"{}\" where \"and\" is expected", condition, link);
  return out;
}

// Cases by what describes them.
using Flows = std::map<std::vector<float>, std::vector<Index>>;

// The cases of whole flows, drawn at random, until there are `wanted`; at least one flow is left.
std::vector<Index> draw_flows(const Flows& flows, Index wanted, std::uint64_t seed) {
  std::vector<const std::vector<Index>*> in_order;
  for (const auto& [descriptors, cases] : flows) in_order.push_back(&cases);
  std::vector<Index> out;
  for (const Index f : torch_randperm(std::ssize(in_order), seed, std::ssize(in_order) - 1))
    if (std::ssize(out) < wanted) out.insert(out.end(), in_order[f]->begin(), in_order[f]->end());
  return out;
}

}  // namespace

Split block_split(const Dataset& dataset, Index train, Index validation) {
  const auto cases = dataset.size();
  if (train < 1 || validation < 0 || train + validation >= cases)
    fail(
        "data.split = blocks: {} training and {} validation cases leave none of the {} cases of {} to judge the model on",
        train, validation, cases, dataset.name());
  std::vector<double> times;
  for (Index i = 0; i < cases; ++i) times.push_back(dataset.without_fields(i).time);
  std::vector<Index> order(cases);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return times[a] < times[b]; });
  Split out;
  out.train.assign(order.begin(), order.begin() + train);
  out.validation.assign(order.begin() + train, order.begin() + train + validation);
  out.test.assign(order.begin() + train + validation, order.end());
  return out;
}

Split held_out_split(const Dataset& dataset, const std::string& condition, Index validation, std::uint64_t seed) {
  const auto comparisons = parse(condition, dataset);
  Split out;
  out.seed = seed;
  std::vector<Index> others;
  Flows flows;  // of the others
  for (Index i = 0; i < dataset.size(); ++i) {
    const auto c = dataset.without_fields(i);
    const bool held_out =
        std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& k) { return k.holds(c); });
    (held_out ? out.test : others).push_back(i);
    if (!held_out) flows[{c.descriptors.begin(), c.descriptors.end()}].push_back(i);
  }
  if (out.test.empty() || std::ssize(others) <= validation)
    fail("data.held_out = \"{}\" holds for {} of the {} cases of {}; {} are left to train on and {} to validate",
         condition, out.test.size(), dataset.size(), dataset.name(), others.size(), validation);
  const auto order = torch_randperm(std::ssize(others), seed);
  const bool by_flows = flows.size() >= 3 && others.size() >= 2 * flows.size() &&
                        std::all_of(comparisons.begin(), comparisons.end(), [](auto& k) { return k.descriptor >= 0; });
  if (by_flows) out.validation = draw_flows(flows, validation, seed);
  std::vector<bool> validates(dataset.size());
  for (const Index i : out.validation) validates[i] = true;
  for (Index i = 0; i < std::ssize(order); ++i) {
    const Index index = others[order[i]];
    if (validates[index]) continue;
    (!by_flows && i < validation ? out.validation : out.train).push_back(index);
  }
  return out;
}

}  // namespace fluidsplat::field
