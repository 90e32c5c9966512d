// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// Cases of a dataset that may be larger than memory: a bounded cache in front of it (least recently used goes first)
// and one thread that reads ahead what prefetch() names.  A mesh counts once, while any case that is held lives on it.
// Thread-safe.
class CaseCache {
 public:
  CaseCache(const Dataset& dataset, std::size_t budget_bytes);
  ~CaseCache();
  CaseCache(const CaseCache&) = delete;
  CaseCache& operator=(const CaseCache&) = delete;

  // The case, read now if it is not there yet.
  std::shared_ptr<const Case> get(Index index);
  // Asks for these to be read in the background, in this order.
  void prefetch(const std::vector<Index>& indices);
  std::size_t held_bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const Case> value;
    std::list<Index>::iterator recency;
  };
  void read_ahead();
  std::shared_ptr<const Case> store(Index index, Case c);
  void drop_oldest();

  const Dataset& dataset_;
  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::unordered_map<Index, Entry> entries_;
  std::list<Index> recent_first_;
  std::unordered_map<const Mesh*, Index> cases_on_mesh_;  // of those that are held
  std::deque<Index> wanted_;
  std::size_t held_ = 0;
  bool stopping_ = false;
  std::thread reader_;
};

}  // namespace fluidsplat::field
