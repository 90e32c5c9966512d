// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/optim/optimizer.h"

namespace fluidsplat::learn {

// Muon (Jordan et al. 2024): a matrix moves along its momentum with all singular values brought near one by five
// Newton-Schulz steps; vectors and narrow matrices by Adam.
class Muon : public Optimizer {
 public:
  Muon(const TensorMap& parameters, double weight_decay);
  void step(double rate) override;
  TensorMap state() const override;

 private:
  struct Entry {
    torch::Tensor parameter, first, second;
  };
  std::map<std::string, Entry> entries_;
  torch::Tensor steps_;
  double weight_decay_;
};

// The matrix with the same singular vectors and singular values near one (0.7 to 1.2).
torch::Tensor orthogonalized(const torch::Tensor& matrix);

}  // namespace fluidsplat::learn
