// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "calibrate/coverage.h"

namespace fluidsplat::calibrate {

struct FoundGroups {
  Groups groups;
  Index block = 1;  // frames in one
};

// What counts once: frames of a time series in blocks, otherwise every case for itself.  `block` is how many frames
// make one; 0: found from how errors remember each other, `size` being how wrong the model is on the k-th case.  Empty
// when `size` gives nothing.  Throws Error when there are fewer than two.
std::optional<FoundGroups> find_groups(const field::Dataset& dataset, const std::vector<Index>& cases, Index block,
                                       const std::function<std::optional<double>(Index k)>& size);

}  // namespace fluidsplat::calibrate
