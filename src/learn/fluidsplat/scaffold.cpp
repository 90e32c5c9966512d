// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/scaffold.h"

namespace fluidsplat::learn {

torch::Tensor log_basis(const Primitives& p, const torch::Tensor& queries) {
  const auto batch = p.centre.size(0), k = p.centre.size(1), d = p.centre.size(2), q = queries.size(1);
  // u = diag(1/sigma) R (x - mu) as one affine map per primitive; |u|^2 is the quadratic form.
  const auto inverse = p.scale.reciprocal();
  auto axes = p.rotation.defined() ? p.rotation * inverse.unsqueeze(-1) : torch::diag_embed(inverse);  // [B, K, d, d]
  const auto offset = torch::matmul(axes, p.centre.unsqueeze(-1)).view({batch, 1, k * d});
  const auto u = torch::matmul(queries, axes.reshape({batch, k * d, d}).transpose(1, 2)) - offset;
  return p.log_weight.unsqueeze(1) - 0.5 * u.square().view({batch, q, k, d}).sum(-1);
}

Scaffold evaluate_scaffold(const Primitives& p, const torch::Tensor& queries) {
  const auto logits = log_basis(p, queries);
  return {torch::matmul(torch::softmax(logits, -1), p.amplitude), torch::logsumexp(logits, -1)};
}

}  // namespace fluidsplat::learn
