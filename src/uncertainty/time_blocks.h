// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"

namespace fluidsplat::uncertainty {

// Frames of a time series that follow each other are alike, so n of them tell less than n cases would.  Blocks that are
// long enough are nearly exchangeable: each counts once.
//
// How many frames make a block, from a number that each frame has, in order of time: a period where the numbers come
// back to themselves, else twice the time that they remember; 1 where neighbours have nothing to do with each other.
// NaN stands for a frame that is missing.
Index block_length(const std::vector<double>& series);

}  // namespace fluidsplat::uncertainty
