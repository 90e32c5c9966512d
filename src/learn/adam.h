// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "base/index.h"

namespace fluidsplat::learn {

// Adam with L2 weight decay, with its state in plain sight so that a checkpoint can hold it.
class Adam {
 public:
  Adam(std::vector<torch::Tensor> parameters, double weight_decay);
  // One step with the gradients that the parameters hold.
  void step(double rate);

  std::vector<torch::Tensor> first, second;  // moment estimates, one pair per parameter
  Index steps = 0;

 private:
  std::vector<torch::Tensor> parameters_;
  double weight_decay_;
};

}  // namespace fluidsplat::learn
