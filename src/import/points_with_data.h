// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::importing {

// Which points of a case have data: position, channels and features are finite.  (Clouds of different sizes are often
// padded with NaN.)
std::vector<bool> has_data(const field::Case& c);

// A mesh without the points that have no data, and what is needed to take fields along.
struct KeptMesh {
  std::shared_ptr<const field::Mesh> mesh;
  std::vector<Index> rows;  // of the full mesh
};
// With `derive_wall`, the grid points beside cells without data become the surface.
KeptMesh keep_points(const std::shared_ptr<const field::Mesh>& full, const std::vector<bool>& keep, bool derive_wall);

}  // namespace fluidsplat::importing
