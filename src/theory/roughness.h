// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/grid.h"

namespace fluidsplat::theory {

// rms of the gradient over rms of the field, over valid pixels, per pixel.  Differences are central where both
// neighbours along an axis are valid, one-sided where one is, and zero where none is.
double roughness(const Grid& grid, const Eigen::Ref<const Vector>& field);

}  // namespace fluidsplat::theory
