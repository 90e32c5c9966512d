// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "io/array.h"

namespace fluidsplat::importing {

// How the values of an array are stored, as NetCDF files say it: value = stored * scale + offset, and no data where a
// fill value is stored.
struct Packing {
  std::vector<double> fills;
  double scale = 1, offset = 0;

  io::Array unpacked(std::vector<std::int64_t> shape, std::vector<double> values) const {
    for (double& v : values)
      v = std::find(fills.begin(), fills.end(), v) != fills.end() ? std::numeric_limits<double>::quiet_NaN()
                                                                  : v * scale + offset;
    return io::Array::from<double>(std::move(shape), values);
  }
};

}  // namespace fluidsplat::importing
