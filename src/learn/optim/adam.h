// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/optim/optimizer.h"

namespace fluidsplat::learn {

// Adam with L2 weight decay.
class Adam : public Optimizer {
 public:
  Adam(TensorMap parameters, double weight_decay);
  void step(double rate) override;
  TensorMap state() const override;

 private:
  struct Moments {
    torch::Tensor parameter, first, second;
  };
  std::map<std::string, Moments> moments_;
  torch::Tensor steps_;  // one double, so that a checkpoint holds it like the rest
  double weight_decay_;
};

}  // namespace fluidsplat::learn
