// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/group.h"

#include <algorithm>

namespace fluidsplat::learn {

bool Group::any(bool mine) {
  double votes = mine ? 1 : 0;
  sum(std::span(&votes, 1));
  return votes > 0;
}

std::string Group::broadcast_text(const std::string& mine) {
  double length = is_first() ? double(mine.size()) : 0;
  sum(std::span(&length, 1));
  std::string text = mine;
  text.resize(std::size_t(length));
  broadcast(std::span(text));
  return text;
}

void Group::expect_same(const std::string& text, const std::string& what) {
  const auto first = broadcast_text(text);
  std::vector<double> differs(std::size_t(size()), 0.0);
  differs[std::size_t(rank())] = first == text ? 0 : 1;
  sum(std::span(differs));
  const auto other = std::ranges::find_if(differs, [](double d) { return d > 0; });
  if (other != differs.end())
    fail("rank {} of {} has other {} than rank 0; start all ranks with the same command on the same data",
         other - differs.begin(), size(), what);
}

Group& alone() {
  static Alone group;
  return group;
}

}  // namespace fluidsplat::learn
