// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/case_cache.h"

#include <algorithm>

#include "field/mesh_contents.h"

namespace fluidsplat::field {

CaseCache::CaseCache(const Dataset& dataset, std::size_t budget_bytes, MakeCompanion make_companion)
    : dataset_(dataset), make_companion_(std::move(make_companion)), budget_(budget_bytes) {}

std::size_t CaseCache::held_bytes() const {
  const Lock lock(mutex_);
  return held_;
}

std::size_t CaseCache::most_held_bytes() const {
  const Lock lock(mutex_);
  return most_held_;
}

std::size_t CaseCache::case_bytes(Index index) const {
  const auto values = dataset_.outline(dataset_.mesh_of(index)).places() * std::ssize(dataset_.schema().channels);
  return static_cast<std::size_t>(values) * sizeof(float) + sizeof(Case);
}

HeldCase CaseCache::get(Index index) {
  const auto number = dataset_.mesh_of(index);
  const auto mesh_bytes = dataset_.outline(number).bytes, bytes = case_bytes(index);
  Lock lock(mutex_);
  if (!meshes_.contains(number) && fits(mesh_bytes)) {
    HeldMesh read;
    read_beside(lock, mesh_bytes, [&] {
      read.value = dataset_.mesh(number);
      if (make_companion_) read.companion = make_companion_(number, *read.value);
    });
    const auto takes = bytes_of(*read.value) + (read.companion ? read.companion->bytes() : 0);
    if (!meshes_.contains(number) && fits(takes)) {
      meshes_[number] = read;
      hold({true, number, takes});
    }
  }
  const auto on = meshes_.find(number);
  if (on == meshes_.end()) return {};
  HeldCase out{on->second.value, on->second.companion, nullptr};
  if (const auto known = cases_.find(index); known != cases_.end()) {
    out.value = known->second;
  } else if (fits(bytes)) {
    read_beside(lock, bytes, [&] { out.value = std::make_shared<const Case>(dataset_.load(index)); });
    if (!cases_.contains(index) && meshes_.contains(number) && fits(bytes)) {
      cases_[index] = out.value;
      hold({false, index, bytes});
    }
  }
  return out;
}

void CaseCache::read_beside(Lock& lock, std::size_t bytes, const std::function<void()>& read) {
  reserved_ += bytes;
  lock.unlock();
  try {
    read();
  } catch (...) {
    lock.lock();
    reserved_ -= bytes;
    throw;
  }
  lock.lock();
  reserved_ -= bytes;
}

void CaseCache::hold(const Entry& entry) {
  order_.push_back(entry);
  held_ += entry.bytes;
  most_held_ = std::max(most_held_, held_);
}

void CaseCache::set_budget(std::size_t bytes) {
  const Lock lock(mutex_);
  budget_ = bytes;
  // A mesh came before the cases on it.
  while (!order_.empty() && !fits(0)) {
    const auto last = order_.back();
    order_.pop_back();
    held_ -= last.bytes;
    if (last.is_mesh)
      meshes_.erase(last.number);
    else
      cases_.erase(last.number);
  }
}

}  // namespace fluidsplat::field
