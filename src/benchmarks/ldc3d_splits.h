// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "field/split.h"

namespace fluidsplat::benchmarks {

// 700 training, 100 validation and 200 test cases of 1,000, the same shares of another number.  The paper does not say
// which: "paper" draws them with a seed.  "obstacles" keeps cases of one obstacle together, in the order of the file;
// it is left out when there are too few obstacles for three parts.
std::map<std::string, field::Split> ldc3d_splits(const std::vector<Index>& obstacle_of_case);

}  // namespace fluidsplat::benchmarks
