// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "model/matrix.h"

namespace fluidsplat::model {

// The axis-aligned box that positions are normalised by.
struct Box {
  std::vector<double> low, high;
};

// value -> (value - mean) / scale, column by column.
struct Scaling {
  std::vector<float> mean, scale;

  Index size() const { return std::ssize(mean); }
  float normalize(Index column, double value) const { return float((value - mean[column]) / scale[column]); }
  float restore(Index column, double value) const { return float(value * scale[column] + mean[column]); }
  // In place, on a row-major [rows, size()] block.  NaN stays NaN.
  void normalize(Eigen::Ref<Matrix> values) const;
  void restore(Eigen::Ref<Matrix> values) const;
};

// How positions and values are brought to order one before a model sees them.
struct Normalization {
  Box domain;  // positions into the unit box, axis by axis
  Scaling channels, features, descriptors;
  // What sensors say, channel by channel: the mean is for sensors whose mean reading is unknown, the scale is the
  // standard deviation of readings around the mean ones.
  Scaling readings;

  float position(Index axis, float physical) const {
    const double low = domain.low[axis], side = domain.high[axis] - low;
    return float((physical - low) / (side > 0 ? side : 1.0));
  }
  Matrix positions(const Matrix& physical) const;
};

}  // namespace fluidsplat::model
