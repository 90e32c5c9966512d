// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// The points in the order in which a curve that fills space (Hilbert's) passes them: points that follow each other are
// near each other, so that a run of them is a patch of the domain and not a thin strip.  Points that it passes at once
// keep their order.
std::vector<Index> curve_order(const Matrix& points);

// The mesh whose point i is point order[i] of this one; its grid, wall and features stay what they are.
Mesh reordered(const Mesh& mesh, const std::vector<Index>& order);
// The rows in that order.
Matrix reordered(const Matrix& rows, const std::vector<Index>& order);

}  // namespace fluidsplat::field
