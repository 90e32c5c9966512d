// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mesh_register.h"

namespace fluidsplat::field {

MeshRegister::MeshRegister(ReadBack read_back, Hash hash) : read_back_(std::move(read_back)), hash_(std::move(hash)) {}

MeshRegister::Entry MeshRegister::find_or_add(const Mesh& mesh) {
  const auto key = hash_(mesh);
  const auto [first, last] = known_.equal_range(key);
  for (auto it = first; it != last; ++it)
    if (identical(read_back_(it->second), mesh)) return {it->second, false};
  const auto number = size();
  known_.emplace(key, number);
  return {number, true};
}

}  // namespace fluidsplat::field
