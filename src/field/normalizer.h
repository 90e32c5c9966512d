// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/index.h"
#include "field/dataset.h"

namespace fluidsplat::field {

// value -> (value - mean) / scale, column by column.
struct Scaling {
  std::vector<float> mean, scale;

  std::size_t size() const { return mean.size(); }
  // In place, on a row-major [rows, size()] block.  NaN stays NaN.
  void normalize(Eigen::Ref<Matrix> values) const;
  void restore(Eigen::Ref<Matrix> values) const;
};

// How positions and values are brought to order one before a model sees them.
struct Normalizer {
  Box domain;  // positions into the unit box, axis by axis
  Scaling channels, features, descriptors;
  // What sensors say, channel by channel: the mean is for sensors whose usual reading is unknown, the scale is the
  // spread of readings around the usual ones.
  Scaling readings;

  Matrix positions(const Matrix& physical) const;
};

// Channels: mean and standard deviation over all points of the given cases (each case weighs the same); features over
// their meshes; descriptors over the cases; readings as the channels.  A constant column gets scale 1.
Normalizer fit_normalizer(const Dataset& dataset, const std::vector<Index>& cases);

// From the readings [N, C] of the training cases: each sensor's mean (channel means where it says nothing) and how
// readings are scaled.  `fallback` serves channels that no sensor sees.
struct ReadingStatistics {
  Matrix usual;
  Scaling scaling;
};
ReadingStatistics fit_readings(const std::vector<Matrix>& readings, const Scaling& fallback);

}  // namespace fluidsplat::field
