// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: the ranks of a group as threads of one process.
#pragma once

#include <exception>
#include <thread>

#include "learn/distributed/free_port.h"
#include "learn/distributed/join_group.h"

namespace fluidsplat::learn {

// What a rank ended with: an empty text, or that of what it threw.
struct RankEnd {
  std::string error;
  bool told_elsewhere = false;
};

template <typename Work>
std::vector<RankEnd> in_ranks(Index size, Work work, std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
  const auto port = free_port();
  std::vector<RankEnd> ends(std::size_t(size), RankEnd{});
  std::vector<std::thread> threads;
  for (Index rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      auto& end = ends[std::size_t(rank)];
      try {
        const auto group = join_group({rank, size, rank, "127.0.0.1", port}, {"gloo", timeout});
        work(*group);
      } catch (const ToldElsewhere& e) {
        end = {e.what(), true};
      } catch (const std::exception& e) {
        end = {e.what(), false};
      }
    });
  for (auto& t : threads) t.join();
  return ends;
}

}  // namespace fluidsplat::learn
