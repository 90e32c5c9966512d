// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// Something that is made of a mesh and lives as long as that is held, such as a table to draw its points from.
struct MeshCompanion {
  virtual ~MeshCompanion() = default;
  virtual std::size_t bytes() const = 0;
};
// Called by the thread that has read a mesh.
using MakeCompanion = std::function<std::shared_ptr<const MeshCompanion>(Index mesh_number, const Mesh& mesh)>;

struct HeldCase {
  // What there is no room for is not here: then its reader takes the parts that he needs from the dataset.
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const MeshCompanion> companion;  // none unless there are a mesh and a MakeCompanion
  std::shared_ptr<const Case> value;               // only with its mesh
};

// Cases of a dataset that may be larger than memory.  Meshes, and cases on them, are held in the order in which they
// are asked for, until the budget is full; those that come later are not.  Nothing gives way: where all cases are asked
// for equally often, and few of them fit, whatever was dropped for another would be missed before that is asked for
// again. Thread-safe.
class CaseCache {
 public:
  CaseCache(const Dataset& dataset, std::size_t budget_bytes, MakeCompanion make_companion = {});

  // What is held of the case, or can be: then it is read now.
  HeldCase get(Index index);
  // Drops what is too much, last come first.
  void set_budget(std::size_t bytes);
  std::size_t held_bytes() const;
  // The most that has ever been held.
  std::size_t most_held_bytes() const;

 private:
  struct HeldMesh {
    std::shared_ptr<const Mesh> value;
    std::shared_ptr<const MeshCompanion> companion;
  };
  struct Entry {
    bool is_mesh = false;
    Index number = 0;
    std::size_t bytes = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  std::size_t case_bytes(Index index) const;
  bool fits(std::size_t bytes) const { return held_ + reserved_ + bytes <= budget_; }
  // Calls read() without the lock, with so many bytes set aside.
  void read_beside(Lock& lock, std::size_t bytes, const std::function<void()>& read);
  void hold(const Entry& entry);

  const Dataset& dataset_;
  const MakeCompanion make_companion_;
  mutable std::mutex mutex_;
  std::size_t budget_;
  std::unordered_map<Index, HeldMesh> meshes_;  // by number
  std::unordered_map<Index, std::shared_ptr<const Case>> cases_;
  std::vector<Entry> order_;  // in which they came
  std::size_t held_ = 0, most_held_ = 0, reserved_ = 0;
};

}  // namespace fluidsplat::field
