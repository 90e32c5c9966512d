// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "base/index.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::runtime {

// The channels that hold the velocity along each axis: (u, v[, w]) or names that end in x, y[, z] after a common stem
// such as U, u_ or velocity_.  Absent when the model has none.
std::optional<std::array<Index, 3>> find_velocity(const model::Schema& schema);

// From jacobian [count][C][d] in normalised units to the wanted outputs of points first ... first + count.
void store_derivatives(const ModelDescription& description, const std::array<Index, 3>& velocity, const float* jacobian,
                       Index first, Index count, const Outputs& out);

}  // namespace fluidsplat::runtime
