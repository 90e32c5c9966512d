// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/case_cache.h"

#include <algorithm>
#include <exception>

#include "field/mesh_contents.h"

namespace fluidsplat::field {
namespace {

// Of a case alone, without its mesh.
std::size_t bytes_of(const Case& c) {
  return static_cast<std::size_t>(c.fields.size() + c.wall_fields.size()) * sizeof(float) + sizeof(Case);
}

std::size_t bytes_of(const std::shared_ptr<const MeshCompanion>& companion) {
  return companion ? companion->bytes() : 0;
}

}  // namespace

CaseCache::CaseCache(const Dataset& dataset, std::size_t budget_bytes, MakeCompanion make_companion)
    : dataset_(dataset),
      make_companion_(std::move(make_companion)),
      budget_(budget_bytes),
      reader_([this] { read_ahead(); }) {}

CaseCache::~CaseCache() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  reader_.join();
}

std::size_t CaseCache::held_bytes() const {
  const Lock lock(mutex_);
  return held_;
}

std::size_t CaseCache::most_held_bytes() const {
  const Lock lock(mutex_);
  return most_held_;
}

void CaseCache::set_budget(std::size_t bytes) {
  const Lock lock(mutex_);
  if (bytes > budget_) left_alone_.clear();
  budget_ = bytes;
  make_room(0, true);
  wake_.notify_one();
}

HeldCase CaseCache::get(Index index) {
  Lock lock(mutex_);
  if (const auto at = std::ranges::find(expected_, index); at != expected_.end()) expected_.erase(at);
  has_read_.wait(lock, [&] { return !being_read_.contains(index); });
  const auto known = entries_.find(index);
  if (known == entries_.end()) return read(index, lock);
  recent_first_.splice(recent_first_.begin(), recent_first_, known->second.recency);
  wake_.notify_one();  // what has been got may make room for what comes
  return {known->second.value, meshes_.at(dataset_.mesh_of(index)).companion};
}

std::size_t CaseCache::estimate(Index index) const {
  return largest_case_ + (meshes_.contains(dataset_.mesh_of(index)) ? 0 : largest_mesh_);
}

// With the lock on entry and on return, and without it while it reads.
HeldCase CaseCache::read(Index index, Lock& lock) {
  const auto reserved = estimate(index);
  make_room(reserved, true);
  reserved_ += reserved;
  being_read_.insert(index);
  HeldCase out;
  const auto number = dataset_.mesh_of(index);
  if (const auto on = meshes_.find(number); on != meshes_.end()) out.companion = on->second.companion;
  lock.unlock();
  std::exception_ptr failure;
  try {
    out.value = std::make_shared<const Case>(dataset_.load(index));
    if (make_companion_ && !out.companion) out.companion = make_companion_(number, *out.value->mesh);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  reserved_ -= reserved;
  being_read_.erase(index);
  has_read_.notify_all();
  if (failure) std::rethrow_exception(failure);
  store(index, out);
  return out;
}

void CaseCache::store(Index index, const HeldCase& read) {
  if (entries_.contains(index)) return;
  const auto number = dataset_.mesh_of(index);
  const auto alone = bytes_of(*read.value), shared = bytes_of(*read.value->mesh) + bytes_of(read.companion);
  largest_case_ = std::max(largest_case_, alone);
  largest_mesh_ = std::max(largest_mesh_, shared);
  // Making room may drop the last case on the mesh, which then counts again.
  if (!make_room(alone + (meshes_.contains(number) ? 0 : shared), true)) return;
  if (!meshes_.contains(number) && !make_room(alone + shared, true)) return;
  auto& on = meshes_[number];
  if (++on.cases == 1) {
    on.companion = read.companion;
    held_ += shared;
  }
  held_ += alone;
  most_held_ = std::max(most_held_, held_);
  recent_first_.push_front(index);
  entries_[index] = {read.value, recent_first_.begin()};
}

void CaseCache::drop(Index index) {
  const auto entry = entries_.find(index);
  const auto& c = *entry->second.value;
  held_ -= bytes_of(c);
  if (const auto on = meshes_.find(dataset_.mesh_of(index)); --on->second.cases == 0) {
    held_ -= bytes_of(*c.mesh) + bytes_of(on->second.companion);
    meshes_.erase(on);
  }
  recent_first_.erase(entry->second.recency);
  entries_.erase(entry);
}

bool CaseCache::make_room(std::size_t bytes, bool expected_too) {
  const auto fits = [&] { return held_ + reserved_ + bytes <= budget_; };
  for (auto it = recent_first_.end(); !fits() && it != recent_first_.begin();) {
    const auto index = *--it;
    if (std::ranges::find(expected_, index) != expected_.end()) continue;
    ++it;
    drop(index);
  }
  for (auto it = expected_.rbegin(); expected_too && !fits() && it != expected_.rend(); ++it)
    if (entries_.contains(*it)) drop(*it);
  return fits();
}

void CaseCache::expect(const std::vector<Index>& indices) {
  {
    const Lock lock(mutex_);
    expected_.assign(indices.begin(), indices.end());
  }
  wake_.notify_one();
}

Index CaseCache::next_to_read() const {
  for (const auto index : expected_)
    if (!entries_.contains(index) && !being_read_.contains(index) && !left_alone_.contains(index)) return index;
  return -1;
}

bool CaseCache::can_read_ahead() {
  const auto index = next_to_read();
  return index >= 0 && make_room(estimate(index), false);
}

void CaseCache::read_ahead() {
  Lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || can_read_ahead(); });
    if (stopping_) return;
    const auto index = next_to_read();
    try {
      read(index, lock);
    } catch (const std::exception&) {
      // get() reads the same case again and throws where the caller can see it.
    }
    // Not stored: it failed, or it is too large to be held.
    if (!entries_.contains(index)) left_alone_.insert(index);
  }
}

}  // namespace fluidsplat::field
