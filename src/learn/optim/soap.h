// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/optim/optimizer.h"

namespace fluidsplat::learn {

// SOAP (Vyas et al. 2024): Adam in the slowly turning eigenbasis of Shampoo's preconditioner.  For a matrix with
// gradient G the running means L of G G' and R of G' G tell along which directions gradients vary together; in their
// eigenbases Adam's second moment, which knows only axes, sees what Shampoo sees.
//
// Kept cheap: both moments live in the rotated space, so that a step rotates the gradient in and the update out and
// nothing else; L and R take in every few gradients, not each; a basis follows its matrix by one power step and a QR,
// often at first, when bases turn fast, and seldom later, sides taking turns so that no step is long; a side longer
// than kLongest is left alone, vectors are left to plain Adam.  Matrices are shared out among the threads; what is
// computed does not depend on their number.
class Soap : public Optimizer {
 public:
  Soap(const TensorMap& parameters, double weight_decay);
  void step(double rate) override;
  TensorMap state() const override;

  static constexpr Index kLongest = 1024, kGatherEvery = 2;
  // Steps between two refreshes of a basis.
  static Index refresh_every(Index step) { return step < 500 ? 10 : step < 2000 ? 20 : 40; }

 private:
  // One side of a matrix: what its gradients' outer products come to, and their eigenvectors as columns.
  struct Side {
    torch::Tensor statistic, basis;  // [n, n]; undefined when the side is left alone
    Index turn = 0;                  // decides at which steps it is refreshed
    bool is_on() const { return basis.defined(); }
    bool is_due(Index step) const { return (step + turn) % refresh_every(step) == 0; }
  };
  struct Entry {
    torch::Tensor parameter, first, second;  // moments in the rotated space
    Side left, right;
  };
  void update(Entry& entry, double rate, Index taken) const;
  static void begin(Entry& entry, const torch::Tensor& gradient);
  static void gather(Entry& entry, const torch::Tensor& gradient);
  static void refresh(Entry& entry, Side& side);
  static torch::Tensor rotate_in(const Entry& entry, const torch::Tensor& gradient);
  static torch::Tensor rotate_out(const Entry& entry, const torch::Tensor& update);

  std::map<std::string, Entry> entries_;
  std::vector<Entry*> largest_first_;
  torch::Tensor steps_;  // one double, so that a checkpoint holds it like the rest
  double weight_decay_;
};

}  // namespace fluidsplat::learn
