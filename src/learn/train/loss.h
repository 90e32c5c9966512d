// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "learn/batch/batch.h"
#include "learn/model/model.h"

namespace fluidsplat::learn {

// The total carries the gradient; its terms, by name and without their weight, are for the log.
struct Loss {
  torch::Tensor total;
  std::map<std::string, double> terms;
};

Loss compute_loss(Model& model, const Batch& batch);

}  // namespace fluidsplat::learn
