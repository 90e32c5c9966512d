// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "theory/grid.h"

namespace fluidsplat::theory {

// What smoothing does with the pixels outside the domain.
enum class MaskedPixels {
  kZero,      // they count as zero, as when a zero-filled frame is smoothed: values fade near walls
  kLeaveOut,  // weights are renormalised over the domain: a constant stays a constant up to the wall
};

// scipy.ndimage.gaussian_filter(field, sigma) with its defaults: mode "reflect" (d c b a | a b c d | d c b a) and
// truncate 4.  sigma is in pixels; 0 returns the field.  Masked pixels of the result are zero.
Vector gaussian_filter(const Grid& grid, const Eigen::Ref<const Vector>& field, double sigma,
                       MaskedPixels masked = MaskedPixels::kZero);

}  // namespace fluidsplat::theory
