// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "field/split.h"

namespace fluidsplat::field {

// Three blocks of time: the earliest cases train, the next choose the checkpoint, the last judge.  Frames that follow
// each other are alike, so a random split is easier than what comes next.
Split block_split(const Dataset& dataset, Index train, Index validation);

// The cases for which a condition on descriptors (or time) holds judge, none of them trains: "Re > 150",
// "Re > 150 and angle <= 5", "Re in 70,110".  The others are drawn at random, `validation` of them to choose the
// checkpoint: whole flows (cases of the same descriptors) where there are several cases of each, since those that judge
// are of unseen flows too.  Throws Error for a condition that cannot be read, and for one that holds for all cases or
// for none.
Split held_out_split(const Dataset& dataset, const std::string& condition, Index validation, std::uint64_t seed);

}  // namespace fluidsplat::field
