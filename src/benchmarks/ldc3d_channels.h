// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/index.h"

namespace fluidsplat::benchmarks {

// Which of the three channels of FlowBench's inputs is which.  Their order is documented in two ways, so it is found
// from the values: the Reynolds number is constant, the mask knows two values (0 and 255 or 0 and 1), the signed
// distance is neither.
struct Ldc3dChannels {
  int reynolds = 0, distance = 1, mask = 2;
  bool operator==(const Ldc3dChannels&) const = default;
};

using Ldc3dInputs = std::array<std::vector<double>, 3>;

// From one case; `where` starts the Error when it cannot be told.
Ldc3dChannels find_ldc3d_channels(const Ldc3dInputs& inputs, const std::string& where);

// A case's inputs, understood.  Grids have n^3 cells, x fastest.
struct Ldc3dGeometry {
  double reynolds = 0;
  std::vector<std::uint8_t> fluid;
  std::vector<double> distance;  // positive in the fluid
};

// The obstacles are inside the cavity, so the mask's value along the walls is the fluid's; the distance is given the
// sign that the mask asks for.  An Error when the case does not have the channels in this order.
Ldc3dGeometry read_ldc3d_geometry(const Ldc3dInputs& inputs, const Ldc3dChannels& channels, Index n,
                                  const std::string& where);

}  // namespace fluidsplat::benchmarks
