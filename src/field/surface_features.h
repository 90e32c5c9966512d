// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"

namespace fluidsplat::field {

// What the shape around a point of a body's surface tells of the flow there, as features: which way the surface looks
// (its outward normal, of the mesh or estimated), and how far the point stands out from what is around it, near by and
// farther away (convexity.h).  For meshes whose every point is on the surface.
std::vector<Column> surface_feature_columns(const std::vector<Column>& coordinates);
// [n, F], in that order.  Throws Error for points that are not on the surface.
Matrix surface_features(const Mesh& mesh);

}  // namespace fluidsplat::field
