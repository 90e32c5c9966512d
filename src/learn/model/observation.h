// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "base/index.h"
#include "field/case.h"

namespace fluidsplat::learn {

// What is known of a batch of B cases before any query is asked.  Positions are in the unit box, values normalised.
struct Observation {
  // One token per reading, padded to the longest case: [B, N, d], [B, N], [B, N] (int64), [B, N] (1 = present).
  torch::Tensor positions, values, channels, present;
  torch::Tensor sensors = {};  // [B, N] (int64): each reading's sensor by its number in the layout
  torch::Tensor descriptors;   // [B, M]
  torch::Tensor geometry_positions, geometry_features;  // [B, G, d], [B, G, Fg]; undefined when not used
  torch::Tensor geometry_present;                       // [B, G]
};

// Where the field is asked for.  Positions [B, Q, d] in the unit box, features [B, Q, F] normalised.
struct Queries {
  torch::Tensor positions, features;
  // For models that know a mesh by heart: the mesh of each case and the index of each query among its points, [B, Q]
  // (int64).  Undefined and empty where queries are not points of a mesh; a mesh that is not in memory is null.
  torch::Tensor points = {};
  std::vector<std::shared_ptr<const field::Mesh>> meshes = {};
};

}  // namespace fluidsplat::learn
