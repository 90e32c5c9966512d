// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fluidsplat::benchmarks {
namespace {

constexpr std::uint64_t kSeed = 123;

Index share_of(Index cases, double share) {
  return std::max<Index>(1, std::llround(share * double(cases)));
}

std::vector<Index> range(Index first, Index end) {
  std::vector<Index> list(end - first);
  std::iota(list.begin(), list.end(), first);
  return list;
}

}  // namespace

std::map<std::string, field::Split> ldc3d_splits(const std::vector<Index>& obstacle) {
  const Index cases = std::ssize(obstacle);
  if (cases < 3) return {};
  const Index train = share_of(cases, 0.7), validation = std::min(share_of(cases, 0.1), cases - train - 1);
  std::map<std::string, field::Split> splits = {{"paper", field::disjoint_split(cases, train, validation, kSeed)}};
  // The first case of an obstacle at or after this one.
  const auto next_obstacle = [&](Index at) {
    while (at < cases && obstacle[at] == obstacle[at - 1]) ++at;
    return at;
  };
  const Index first = next_obstacle(train);
  const Index second = first < cases ? next_obstacle(std::max(first + 1, train + validation)) : cases;
  if (second < cases)
    splits["obstacles"] = {.train = range(0, first), .validation = range(first, second), .test = range(second, cases)};
  return splits;
}

}  // namespace fluidsplat::benchmarks
