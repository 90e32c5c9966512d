// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mesh_contents.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>

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

// Two chains of multiplications with different constants, eight bytes at a time.
class Hasher {
 public:
  void word(std::uint64_t w) {
    low_ = std::rotl((low_ ^ w) * 0x9e3779b97f4a7c15u, 31);
    high_ = std::rotl((high_ + w) * 0xc2b2ae3d27d4eb4fu, 27) + low_;
  }
  void add(std::span<const std::byte> data) {
    word(data.size());
    for (; data.size() >= sizeof(std::uint64_t); data = data.subspan(sizeof(std::uint64_t)))
      word(load(data.first<sizeof(std::uint64_t)>()));
    if (!data.empty()) word(load(data));
  }
  Fingerprint result() const { return {mix(low_), mix(high_ ^ std::rotl(low_, 17))}; }

 private:
  static std::uint64_t load(std::span<const std::byte> data) {
    std::uint64_t w = 0;
    std::memcpy(&w, data.data(), data.size());
    return w;
  }
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
    return x ^ (x >> 32);
  }
  std::uint64_t low_ = 0x243f6a8885a308d3u, high_ = 0x13198a2e03707344u;
};

}  // namespace

Fingerprint fingerprint(const Mesh& mesh) {
  Hasher hasher;
  for (const auto& part : parts(mesh)) {
    hasher.word(static_cast<std::uint64_t>(part.columns));
    hasher.add(part.bytes);
  }
  return hasher.result();
}

Fingerprint fingerprint(const std::vector<bool>& flags) {
  Hasher hasher;
  hasher.word(flags.size());
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    word |= std::uint64_t{flags[i]} << (i % 64);
    if (i % 64 != 63 && i + 1 != flags.size()) continue;
    hasher.word(word);
    word = 0;
  }
  return hasher.result();
}

bool identical(const Mesh& a, const Mesh& b) {
  return parts(a) == parts(b);
}

std::size_t bytes_of(const Mesh& mesh) {
  std::size_t sum = sizeof(Mesh);
  for (const auto& part : parts(mesh)) sum += part.bytes.size();
  return sum;
}

}  // namespace fluidsplat::field
