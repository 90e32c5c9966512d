// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/mesh_pool.h"

#include <cstring>
#include <string_view>

namespace fluidsplat::importing {
namespace {

bool same(const field::Matrix& a, const field::Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(float) * static_cast<std::size_t>(a.size())) == 0);
}

bool same(const field::Mesh& a, const field::Mesh& b) {
  return same(a.points, b.points) && same(a.features, b.features) && same(a.normals, b.normals) &&
         a.grid_shape == b.grid_shape && a.grid_cell == b.grid_cell && a.surface == b.surface && a.areas == b.areas;
}

std::uint64_t key_of(const field::Mesh& mesh) {
  const std::string_view bytes(reinterpret_cast<const char*>(mesh.points.data()),
                               sizeof(float) * static_cast<std::size_t>(mesh.points.size()));
  return std::hash<std::string_view>{}(bytes);
}

}  // namespace

std::shared_ptr<const field::Mesh> MeshPool::share(field::Mesh mesh) {
  const auto key = key_of(mesh);
  const auto [first, last] = known_.equal_range(key);
  for (auto it = first; it != last; ++it)
    if (same(*it->second, mesh)) return it->second;
  return known_.emplace(key, std::make_shared<const field::Mesh>(std::move(mesh)))->second;
}

}  // namespace fluidsplat::importing
