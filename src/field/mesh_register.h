// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <unordered_map>

#include "base/index.h"
#include "field/mesh_contents.h"

namespace fluidsplat::field {

// Numbers meshes as they are stored, equal ones once, and keeps none of them: of each mesh stay its fingerprint and its
// number.  Where fingerprints agree the stored mesh is read back and compared, so that two different meshes are never
// taken for one.
class MeshRegister {
 public:
  using ReadBack = std::function<Mesh(Index number)>;
  using Hash = std::function<Fingerprint(const Mesh& mesh)>;
  explicit MeshRegister(
      ReadBack read_back, Hash hash = [](const Mesh& mesh) { return fingerprint(mesh); });

  struct Entry {
    Index number = 0;
    bool fresh = false;  // not met before: to be stored before the next call
  };
  Entry find_or_add(const Mesh& mesh);
  Index size() const { return std::ssize(known_); }

 private:
  ReadBack read_back_;
  Hash hash_;
  std::unordered_multimap<Fingerprint, Index> known_;
};

}  // namespace fluidsplat::field
