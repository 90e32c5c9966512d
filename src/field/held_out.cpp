// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/held_out.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>

#include "base/config.h"
#include "base/error.h"

namespace fluidsplat::field {
namespace {

struct Comparison {
  Index descriptor;  // -1: the time
  std::string relation;
  double value;

  bool holds(const Case& c) const {
    const double x = descriptor < 0 ? c.time : double(c.descriptors[descriptor]);
    // Descriptors are stored as floats: 0.1 in the config is the 0.1 in the data.
    const double y = descriptor < 0 ? value : double(float(value));
    if (relation == ">") return x > y;
    if (relation == ">=") return x >= y;
    if (relation == "<") return x < y;
    if (relation == "<=") return x <= y;
    return relation == "==" ? x == y : x != y;
  }
};

std::vector<Comparison> parse(const std::string& condition, const Dataset& dataset) {
  std::vector<std::string> known = {"time"};
  for (const auto& d : dataset.schema().descriptors) known.push_back(d.name);
  std::vector<Comparison> out;
  std::istringstream words(condition);
  std::string name, relation, number, link;
  do {
    words >> name >> relation >> number;
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool is_relation = relation == ">" || relation == ">=" || relation == "<" || relation == "<=" ||
                             relation == "==" || relation == "!=";
    if (!words || !is_relation || error != std::errc() || end != number.data() + number.size())
      fail("data.held_out = \"{}\": cannot be read; write for example \"Re > 150\" or \"Re > 150 and angle <= 5\"",
           condition);
    const auto it = std::find(known.begin(), known.end(), name);
    if (it == known.end()) {
      const auto near = nearest_name(name, known);
      fail("data.held_out = \"{}\": {} has no descriptor \"{}\"{}; it has: {}", condition, dataset.name(), name,
           near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near), fmt::join(known, ", "));
    }
    out.push_back({it - known.begin() - 1, relation, value});
  } while (words >> link && link == "and");
  if (words) fail("data.held_out = \"{}\": \"{}\" where \"and\" is expected", condition, link);
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
  for (Index i = 0; i < cases; ++i) times.push_back(dataset.load(i).time);
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
  for (Index i = 0; i < dataset.size(); ++i) {
    const auto c = dataset.load(i);
    const bool held_out =
        std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& k) { return k.holds(c); });
    (held_out ? out.test : others).push_back(i);
  }
  if (out.test.empty() || std::ssize(others) <= validation)
    fail("data.held_out = \"{}\" holds for {} of the {} cases of {}; {} are left to train on and {} to validate",
         condition, out.test.size(), dataset.size(), dataset.name(), others.size(), validation);
  const auto order = torch_randperm(std::ssize(others), seed);
  for (Index i = 0; i < std::ssize(order); ++i)
    (i < validation ? out.validation : out.train).push_back(others[order[i]]);
  return out;
}

}  // namespace fluidsplat::field
