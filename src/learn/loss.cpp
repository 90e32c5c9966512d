// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/loss.h"

namespace fluidsplat::learn {

Loss compute_loss(const Batch& b, const torch::Tensor& prediction, double lambda_obs, double lambda_surface) {
  const auto q = b.field_queries, n = b.sensor_queries;
  Loss out;
  out.data = ((prediction.slice(1, 0, q) - b.targets).square().mean(-1) * b.weights).mean();
  out.total = out.data;
  if (lambda_obs > 0) {
    const auto at_sensors = prediction.slice(1, q, q + n);                 // [B, N, C]
    const auto flat = (b.obs_query * prediction.size(2) + b.obs_channel);  // [B, tokens]
    const auto said = at_sensors.reshape({at_sensors.size(0), -1}).gather(1, flat);
    out.observation =
        ((said - b.obs_value).square() * b.obs_present).sum() / b.obs_present.sum().clamp_min(1);
    out.total = out.total + lambda_obs * out.observation;
  }
  if (lambda_surface > 0) {
    out.surface = (prediction.slice(1, q + n) - b.surface_targets).square().mean();
    out.total = out.total + lambda_surface * out.surface;
  }
  return out;
}

}  // namespace fluidsplat::learn
