// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "field/case.h"

namespace fluidsplat::field {

// A ContentHash that tells meshes apart: points, features, grid, wall with normals and areas.  By chance two of a
// million meshes share theirs once in 10^26 times.
using Fingerprint = std::string;

Fingerprint fingerprint(const Mesh& mesh);
// The same of a list of flags, one per point.
Fingerprint fingerprint(const std::vector<bool>& flags);

// Whether two meshes agree bit for bit in everything that a dataset stores of them.
bool identical(const Mesh& a, const Mesh& b);

// The memory that a mesh takes.
std::size_t bytes_of(const Mesh& mesh);

}  // namespace fluidsplat::field
