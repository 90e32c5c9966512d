// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/fluidsplat/primitive_head.h"

namespace fluidsplat::learn {

// The partition-of-unity field at Q queries of each case.
struct Scaffold {
  torch::Tensor field;     // [B, Q, C]
  torch::Tensor log_mass;  // [B, Q]: log of sum_k w_k phi_k, finite even where every Gaussian underflows
};

// log(w_k phi_k(x)): [B, Q, K].
torch::Tensor log_basis(const Primitives& primitives, const torch::Tensor& queries);

Scaffold evaluate_scaffold(const Primitives& primitives, const torch::Tensor& queries);

}  // namespace fluidsplat::learn
