// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat {

// One of several processes that share out work: part `index` (from 1) of `count`.
struct Shard {
  Index index = 1, count = 1;

  bool is_whole() const { return count == 1; }
  // Parts take items in turn, so that they take about the same time.
  bool has(Index item) const { return item % count == index - 1; }
  template <typename T>
  std::vector<T> part_of(const std::vector<T>& items) const {
    std::vector<T> out;
    for (Index i = index - 1; i < std::ssize(items); i += count) out.push_back(items[std::size_t(i)]);
    return out;
  }
};

// "2/3".  Throws Error for anything else.
Shard parse_shard(const std::string& text);

}  // namespace fluidsplat
