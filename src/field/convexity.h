// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// How far each point of a surface [n, d] with outward unit normals [n, d] stands out from what is around it within a
// radius, in radii: the mean of the surface there is that far behind it, along its normal.  Above zero on noses and
// edges, below in corners, zero on what is flat.
Eigen::VectorXf convexity(const Matrix& points, const Matrix& normals, double radius);

}  // namespace fluidsplat::field
