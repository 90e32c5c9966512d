// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

using model::Normalization;
using model::Scaling;

// Channels: mean and standard deviation over all points of the given cases (each case weighs the same); features over
// their meshes; descriptors over the cases; readings as the channels.  A constant column gets scale 1.  With `base`
// [places of the one mesh, C] the channels are those of the deviation from it.
Normalization fit_normalization(const Dataset& dataset, const std::vector<Index>& cases, const Matrix& base = {});

// From the readings [N, C] of the training cases: each sensor's mean (channel means where it says nothing) and how
// readings are scaled.  `fallback` serves channels that no sensor sees.
struct ReadingStatistics {
  Matrix mean_readings;
  Scaling scaling;
};
ReadingStatistics fit_readings(const std::vector<Matrix>& readings, const Scaling& fallback);

}  // namespace fluidsplat::field
