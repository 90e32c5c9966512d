// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/batch.h"

namespace fluidsplat::learn {

struct Loss {
  torch::Tensor total, data, observation, surface;
};

// Sampled-query mean square error + lambda_obs * sensor consistency + lambda_surface * wall error, from a
// prediction at all queries of the batch, [B, field + sensor + surface queries, C].
Loss compute_loss(const Batch& batch, const torch::Tensor& prediction, double lambda_obs,
                  double lambda_surface);

}  // namespace fluidsplat::learn
