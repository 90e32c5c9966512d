// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::field {

// The faces of a surface in space.  Face f has the corners corners[offsets[f]] up to corners[offsets[f + 1]], which are
// numbers of points.
struct Faces {
  std::vector<Index> corners, offsets = {0};
  void add(const std::vector<Index>& points);
  Index size() const { return std::ssize(offsets) - 1; }
};

// How much of a surface could be told inside from outside.
struct Orientation {
  Index bodies = 0;  // pieces that hang together by their edges
  Index open = 0;    // ... of which this many enclose no volume
};

// Turns faces so that neighbours agree and closed bodies look outward; open ones keep the side that most of their area
// had.  Points at the same place count as one, so faces need not share corners.
Orientation orient(Faces& faces, const Matrix& points);

// Unit normals and areas whose products are the vector areas of what they stand for.  Around an edge the area is thus
// what is seen along the mean normal: over a closed body area times normal sums to zero, and a constant pressure pushes
// it nowhere.
struct Patches {
  Matrix normals;  // [n, 3]; zero where the area is
  std::vector<double> areas;
};

// One per face, and one per point, which has an equal share of each face around it.
Patches face_patches(const Faces& faces, const Matrix& points);
Patches point_patches(const Faces& faces, const Matrix& points);

}  // namespace fluidsplat::field
