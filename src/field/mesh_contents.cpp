// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mesh_contents.h"

#include <array>
#include <cstring>
#include <span>

#include "field/content_hash.h"

namespace fluidsplat::field {
namespace {

struct Part {
  std::span<const std::byte> bytes;
  Index columns = 1;

  Part() = default;
  explicit Part(const Matrix& m)
      : bytes(std::as_bytes(std::span(m.data(), static_cast<std::size_t>(m.size())))),
        columns(m.size() > 0 ? m.cols() : 0) {}
  template <typename T>
  explicit Part(const std::vector<T>& values) : bytes(std::as_bytes(std::span(values))) {}

  bool operator==(const Part& other) const {
    return columns == other.columns && bytes.size() == other.bytes.size() &&
           (bytes.empty() || std::memcmp(bytes.data(), other.bytes.data(), bytes.size()) == 0);
  }
};

// Everything of a mesh that a dataset stores; the grid cells of points that are on no grid are not.
std::array<Part, 7> parts(const Mesh& mesh) {
  return {Part(mesh.points),     Part(mesh.features), mesh.is_grid() ? Part(mesh.grid_cell) : Part(),
          Part(mesh.grid_shape), Part(mesh.surface),  Part(mesh.normals),
          Part(mesh.areas)};
}

void add(ContentHash& hash, std::uint64_t number) {
  hash.add(std::as_bytes(std::span(&number, 1)));
}

void add(ContentHash& hash, const Mesh& mesh) {
  for (const auto& part : parts(mesh)) {
    add(hash, std::uint64_t(part.columns));
    add(hash, part.bytes.size());
    hash.add(part.bytes);
  }
  if (mesh.wall) add(hash, *mesh.wall);
}

}  // namespace

Fingerprint fingerprint(const Mesh& mesh) {
  ContentHash hash;
  add(hash, mesh);
  return hash.digest();
}

Fingerprint fingerprint(const std::vector<bool>& flags) {
  ContentHash hash;
  add(hash, flags.size());
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    word |= std::uint64_t{flags[i]} << (i % 64);
    if (i % 64 != 63 && i + 1 != flags.size()) continue;
    add(hash, word);
    word = 0;
  }
  return hash.digest();
}

bool identical(const Mesh& a, const Mesh& b) {
  if (bool(a.wall) != bool(b.wall)) return false;
  return parts(a) == parts(b) && (!a.wall || identical(*a.wall, *b.wall));
}

std::size_t bytes_of(const Mesh& mesh) {
  std::size_t sum = sizeof(Mesh) + (mesh.wall ? bytes_of(*mesh.wall) : 0);
  for (const auto& part : parts(mesh)) sum += part.bytes.size();
  return sum;
}

}  // namespace fluidsplat::field
