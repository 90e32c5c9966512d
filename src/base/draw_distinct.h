// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "base/random.h"

namespace fluidsplat {

// `count` different ones of the numbers below n, in random order: the first of a list that is shuffled only as far as
// they go, of which only what has moved is kept.
inline std::vector<Index> draw_distinct(Index n, Index count, Random& random) {
  std::unordered_map<Index, Index> moved;
  const auto at = [&](Index i) {
    const auto it = moved.find(i);
    return it == moved.end() ? i : it->second;
  };
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) {
    const auto other = i + Index(random.below(std::uint64_t(n - i)));
    out.push_back(at(other));
    moved[other] = at(i);
  }
  return out;
}

}  // namespace fluidsplat
