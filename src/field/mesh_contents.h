// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "field/case.h"

namespace fluidsplat::field {

// 128 bits that tell the contents of meshes apart: points, features, grid, wall with normals and areas.  By chance two
// of a million meshes share theirs once in 10^26 times.
struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Fingerprint&) const = default;
};

Fingerprint fingerprint(const Mesh& mesh);
// The same of a list of flags, one per point.
Fingerprint fingerprint(const std::vector<bool>& flags);

// Whether two meshes agree bit for bit in everything that a dataset stores of them.
bool identical(const Mesh& a, const Mesh& b);

// The memory that a mesh takes.
std::size_t bytes_of(const Mesh& mesh);

}  // namespace fluidsplat::field
