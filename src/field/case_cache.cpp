// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/case_cache.h"

#include "base/error.h"
#include "field/mesh_contents.h"

namespace fluidsplat::field {
namespace {

// Of a case alone, without its mesh.
std::size_t bytes_of(const Case& c) {
  return static_cast<std::size_t>(c.fields.size()) * sizeof(float) + sizeof(Case);
}

}  // namespace

CaseCache::CaseCache(const Dataset& dataset, std::size_t budget_bytes)
    : dataset_(dataset), budget_(budget_bytes), reader_([this] { read_ahead(); }) {}

CaseCache::~CaseCache() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  reader_.join();
}

std::size_t CaseCache::held_bytes() const {
  std::lock_guard lock(mutex_);
  return held_;
}

std::shared_ptr<const Case> CaseCache::get(Index index) {
  {
    std::lock_guard lock(mutex_);
    if (auto it = entries_.find(index); it != entries_.end()) {
      recent_first_.splice(recent_first_.begin(), recent_first_, it->second.recency);
      return it->second.value;
    }
  }
  return store(index, dataset_.load(index));
}

std::shared_ptr<const Case> CaseCache::store(Index index, Case c) {
  auto value = std::make_shared<const Case>(std::move(c));
  std::lock_guard lock(mutex_);
  if (auto it = entries_.find(index); it != entries_.end()) return it->second.value;
  recent_first_.push_front(index);
  entries_[index] = {value, recent_first_.begin()};
  held_ += bytes_of(*value);
  if (++cases_on_mesh_[value->mesh.get()] == 1) held_ += bytes_of(*value->mesh);
  while (held_ > budget_ && entries_.size() > 1) drop_oldest();
  return value;
}

void CaseCache::drop_oldest() {
  const auto entry = entries_.find(recent_first_.back());
  const auto& oldest = *entry->second.value;
  held_ -= bytes_of(oldest);
  if (const auto on = cases_on_mesh_.find(oldest.mesh.get()); --on->second == 0) {
    held_ -= bytes_of(*oldest.mesh);
    cases_on_mesh_.erase(on);
  }
  entries_.erase(entry);
  recent_first_.pop_back();
}

void CaseCache::prefetch(const std::vector<Index>& indices) {
  {
    std::lock_guard lock(mutex_);
    for (auto index : indices)
      if (!entries_.contains(index)) wanted_.push_back(index);
  }
  wake_.notify_one();
}

void CaseCache::read_ahead() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !wanted_.empty(); });
    if (stopping_) return;
    const auto index = wanted_.front();
    wanted_.pop_front();
    if (entries_.contains(index)) continue;
    lock.unlock();
    try {
      store(index, dataset_.load(index));
    } catch (const Error&) {
      // get() reads the same case again and throws where the caller can see it.
    }
    lock.lock();
  }
}

}  // namespace fluidsplat::field
