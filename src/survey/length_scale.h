// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset.h"

namespace fluidsplat::survey {

// Lengths in the unit box that the domain is mapped to.
struct LengthScales {
  double correlation = 0;  // where values at two points differ by half of what far points differ (in square)
  double spacing = 0;      // of the mesh
};

// From pairs of points of a few cases, whatever the arrangement of the points.  Each channel is measured by itself, and
// the shortest length counts.
LengthScales measure_length_scales(const field::Dataset& dataset);

}  // namespace fluidsplat::survey
