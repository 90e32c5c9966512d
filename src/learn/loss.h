// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/batch.h"

namespace fluidsplat::learn {

// The total carries the gradient; its parts are for the log.
struct Loss {
  torch::Tensor total, data, observation, surface;
};

// Sampled-query mean square error + lambda_obs * sensor consistency + lambda_surface * wall error.
Loss compute_loss(Model& model, const Batch& batch, double lambda_obs, double lambda_surface);

}  // namespace fluidsplat::learn
