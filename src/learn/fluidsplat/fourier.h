// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::learn {

// gamma(x) = [x | sin(pi x) | cos(pi x) | sin(2 pi x) | ... ] along the last axis, `bands` octaves. Positions are in
// the unit box, so band b has 2^(b-1) periods across the domain.
torch::Tensor fourier_features(const torch::Tensor& positions, Index bands);

}  // namespace fluidsplat::learn
