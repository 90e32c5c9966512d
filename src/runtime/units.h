// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "runtime/model_description.h"

namespace fluidsplat::runtime {

// A physical coordinate on one axis, in the unit box.
inline float to_unit_box(const ModelDescription& d, Index axis, double position) {
  return float((position - d.low[axis]) / (d.high[axis] - d.low[axis]));
}

inline float normalize(const Column& column, double value) {
  return float((value - column.mean) / column.scale);
}

}  // namespace fluidsplat::runtime
