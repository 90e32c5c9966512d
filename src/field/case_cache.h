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

#include "field/dataset.h"

namespace fluidsplat::field {

// Cases of a dataset that may be larger than memory: a bounded cache in front of it (least recently used goes
// first) and one thread that reads ahead what prefetch() names.  Thread-safe.
class CaseCache {
 public:
  CaseCache(const Dataset& dataset, std::size_t budget_bytes);
  ~CaseCache();
  CaseCache(const CaseCache&) = delete;
  CaseCache& operator=(const CaseCache&) = delete;

  // The case, read now if it is not there yet.
  std::shared_ptr<const Case> get(std::int64_t index);
  // Asks for these to be read in the background, in this order.
  void prefetch(const std::vector<std::int64_t>& indices);
  std::size_t held_bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const Case> value;
    std::list<std::int64_t>::iterator recency;
  };
  void read_ahead();
  std::shared_ptr<const Case> store(std::int64_t index, Case c);
  static std::size_t bytes_of(const Case& c);

  const Dataset& dataset_;
  const std::size_t budget_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::unordered_map<std::int64_t, Entry> entries_;
  std::list<std::int64_t> recent_first_;
  std::deque<std::int64_t> wanted_;
  std::size_t held_ = 0;
  bool stopping_ = false;
  std::thread reader_;
};

}  // namespace fluidsplat::field
