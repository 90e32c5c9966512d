// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>

#include "field/case.h"

namespace fluidsplat::importing {

// Gives equal meshes one address, so that a dataset stores them once.
class MeshPool {
 public:
  std::shared_ptr<const field::Mesh> share(field::Mesh mesh);

 private:
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const field::Mesh>> known_;
};

}  // namespace fluidsplat::importing
