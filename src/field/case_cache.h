// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// Something that is made of a mesh and lives as long as cases on it are held, such as a table to draw its points from.
struct MeshCompanion {
  virtual ~MeshCompanion() = default;
  virtual std::size_t bytes() const = 0;
};
// Called by the thread that has read a case.
using MakeCompanion = std::function<std::shared_ptr<const MeshCompanion>(Index mesh_number, const Mesh& mesh)>;

struct HeldCase {
  std::shared_ptr<const Case> value;
  std::shared_ptr<const MeshCompanion> companion;  // none unless there is a MakeCompanion
};

// Cases of a dataset that may be larger than memory: a bounded cache in front of it, and one thread that reads ahead
// what expect() names.  Of what nobody expects the least recently used goes first.  A mesh and its companion count
// once, while any case that is held lives on it.  Never holds more than its budget: a case that is larger is read
// whenever it is asked for.  Thread-safe.
class CaseCache {
 public:
  CaseCache(const Dataset& dataset, std::size_t budget_bytes, MakeCompanion make_companion = {});
  ~CaseCache();
  CaseCache(const CaseCache&) = delete;
  CaseCache& operator=(const CaseCache&) = delete;

  // The case, read now if it is not there yet.
  HeldCase get(Index index);
  // What get() will be asked for, in this order: read in the background as far as there is room.  Replaces what was
  // expected before.
  void expect(const std::vector<Index>& indices);
  // Drops what is too much.
  void set_budget(std::size_t bytes);
  std::size_t held_bytes() const;
  // The most that has ever been held.
  std::size_t most_held_bytes() const;

 private:
  struct Entry {
    std::shared_ptr<const Case> value;
    std::list<Index>::iterator recency;
  };
  struct OnMesh {
    Index cases = 0;  // that are held
    std::shared_ptr<const MeshCompanion> companion;
  };
  using Lock = std::unique_lock<std::mutex>;

  void read_ahead();
  HeldCase read(Index index, Lock& lock);

  void store(Index index, const HeldCase& read);
  void drop(Index index);
  // Drops what is not expected, oldest first, until so many bytes more would fit; with `expected_too` also what is,
  // last first.  False when they do not fit even so.
  bool make_room(std::size_t bytes, bool expected_too);
  Index next_to_read() const;
  bool can_read_ahead();
  // How much reading it may add: how large it is shows only when it is there, so it counts as the largest so far.
  std::size_t estimate(Index index) const;

  const Dataset& dataset_;
  const MakeCompanion make_companion_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, has_read_;
  std::size_t budget_;
  std::unordered_map<Index, Entry> entries_;
  std::list<Index> recent_first_;
  std::unordered_map<Index, OnMesh> meshes_;  // by number
  std::deque<Index> expected_;
  std::set<Index> being_read_;
  std::unordered_set<Index> left_alone_;  // could not be read or not be held: get() reads them
  std::size_t held_ = 0, most_held_ = 0, reserved_ = 0, largest_case_ = 0, largest_mesh_ = 0;
  bool stopping_ = false;
  std::thread reader_;
};

}  // namespace fluidsplat::field
