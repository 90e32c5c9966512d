// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/loss.h"

namespace fluidsplat::learn {

// Every term is a weighted sum of squares, so that all three are one: what is compared with what, and how much it
// counts, at every query and channel.
Loss compute_loss(Model& model, const Batch& b, double lambda_obs, double lambda_surface) {
  const auto q = b.field_queries, n = b.sensor_queries, all = q + n + b.surface_queries;
  const auto batch = b.targets.size(0), channels = b.targets.size(2);
  auto targets = torch::zeros({batch, all, channels}, b.targets.options()), weights = torch::zeros_like(targets);
  targets.slice(1, 0, q).copy_(b.targets);
  weights.slice(1, 0, q).copy_(b.weights.unsqueeze(-1) / double(batch * q * channels));
  if (lambda_obs > 0) {
    // Absent tokens all point to the first sensor: they add nothing there.
    const auto at = (b.obs_query + q) * channels + b.obs_channel;
    targets.view({batch, -1}).scatter_add_(1, at, b.obs_value * b.obs_present);
    weights.view({batch, -1}).scatter_add_(1, at, b.obs_present * (lambda_obs / b.obs_present.sum().clamp_min(1)));
  }
  if (lambda_surface > 0) {
    targets.slice(1, q + n).copy_(b.surface_targets);
    weights.slice(1, q + n).fill_(lambda_surface / double(batch * b.surface_queries * channels));
  }

  const auto error = model.squared_error(b.observation, b.queries, targets, weights);
  const auto part = [&](Index begin, Index end, double factor) {
    return ((error.field - targets).square() * weights).slice(1, begin, end).sum() / factor;
  };
  Loss out{error.sum, part(0, q, 1), {}, {}};
  if (lambda_obs > 0) out.observation = part(q, q + n, lambda_obs);
  if (lambda_surface > 0) out.surface = part(q + n, all, lambda_surface);
  return out;
}

}  // namespace fluidsplat::learn
