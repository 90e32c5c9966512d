// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// Outward unit normals [n, d] of closed surfaces that are given as clouds of points on them [n, d]: across the plane
// (line) through the nearest neighbours of each, and so that neighbours agree on which side is outside.  At edges they
// lie between those of the faces.  Throws Error for fewer than d + 1 points.
Matrix estimate_normals(const Matrix& points);

}  // namespace fluidsplat::field
