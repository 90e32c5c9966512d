// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/split.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <unordered_set>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::field {
namespace {

void check_sizes(Index cases, Index train, Index validation) {
  if (train < 1 || validation < 0 || train + validation > cases)
    fail("split: {} training and {} validation cases asked for, the dataset has {}", train, validation, cases);
}

}  // namespace

std::vector<Index> torch_randperm(Index n, std::uint64_t seed) {
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) std::swap(order[i], order[i + generator() % (order.size() - i)]);
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

void write_split(const std::filesystem::path& path, const Split& split) {
  const nlohmann::json json = {{"format", "fluidsplat-split"},
                               {"seed", split.seed},
                               {"train", split.train},
                               {"validation", split.validation},
                               {"test", split.test}};
  write_file(path, json.dump(1) + "\n");
}

Split read_split(const std::filesystem::path& path, Index cases) {
  Split split;
  try {
    const auto json = nlohmann::json::parse(read_file(path, std::size_t{1} << 28));
    split.seed = json.value("seed", std::uint64_t{0});
    split.train = json.at("train").get<std::vector<Index>>();
    split.validation = json.at("validation").get<std::vector<Index>>();
    split.test = json.at("test").get<std::vector<Index>>();
  } catch (const nlohmann::json::exception& e) {
    fail("{}: not a split file (JSON with \"train\", \"validation\" and \"test\" lists): {}", path.string(), e.what());
  }
  for (const auto* list : {&split.train, &split.validation, &split.test})
    for (auto index : *list)
      if (index < 0 || index >= cases)
        fail("{}: case {} is outside the dataset of {} cases", path.string(), index, cases);
  const std::unordered_set<Index> train(split.train.begin(), split.train.end());
  for (const auto* other : {&split.validation, &split.test})
    for (auto index : *other)
      if (train.contains(index)) fail("{}: case {} is in \"train\" and in another list", path.string(), index);
  return split;
}

}  // namespace fluidsplat::field
