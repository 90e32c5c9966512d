// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/index.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::runtime {

// From jacobian [count][C][d] in normalised units to the wanted outputs of points first ... first + count.
void store_derivatives(const ModelDescription& description, const std::vector<Index>& velocity, const float* jacobian,
                       Index first, Index count, const Outputs& out);

}  // namespace fluidsplat::runtime
