// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/optim/optimizer.h"
#include "learn/optim/refresh_plan.h"

namespace fluidsplat::learn {

// SOAP (Vyas et al. 2024): Adam in the slowly turning eigenbasis of Shampoo's preconditioner.  For a matrix with
// gradient G the running means L of G G' and R of G' G tell along which directions gradients vary together; in their
// eigenbases Adam's second moment, which knows only axes, sees what Shampoo sees.
//
// Kept cheap: both moments live in the rotated space, so that a step rotates the gradient in and the update out and
// nothing else; L and R take in some gradients, in turns; a basis follows its matrix by a power step and
// Gram-Schmidt, a few columns at each step (refresh_plan.h, next_basis.h), and takes over when its last columns are
// done; a side longer than kLongest is left alone, vectors are left to plain Adam.  Matrices are shared out among the
// threads; what is computed does not depend on their number.
class Soap : public Optimizer {
 public:
  Soap(const TensorMap& parameters, double weight_decay);
  void step(double rate) override;
  TensorMap state() const override;

  static constexpr Index kLongest = 1024;

 private:
  // One side of a matrix: what its gradients' outer products come to, and their eigenvectors as columns.
  struct Side {
    Side() = default;
    Side(Index length, const torch::TensorOptions& options);
    torch::Tensor statistic, basis;  // [n, n]; undefined when the side is left alone
    // A refresh under way: the new basis, of which some columns are done, and the old column that each is made from.
    torch::Tensor next, order;
    std::vector<BasisBlock> blocks;
    Index turn = 0;  // decides which gradients its statistic takes in
    bool is_on() const { return basis.defined(); }
  };
  struct Entry {
    torch::Tensor parameter, first, second;  // moments in the rotated space
    torch::Tensor turned, half;              // room to rotate in, kept so that a step allocates nothing
    Side left, right;
  };
  void update(Entry& entry, double rate, Index taken) const;
  void move(Entry& entry, const torch::Tensor& gradient, double rate, Index taken) const;
  static void begin(Entry& entry, const torch::Tensor& gradient);
  static void gather(Entry& entry, const torch::Tensor& gradient, Index taken);
  static void refresh(Entry& entry, Side& side, const BasisBlock& block);
  // Into `turned`, and from there onto `kept` times the parameter.
  static void rotate_in(Entry& entry, const torch::Tensor& gradient);
  static void add_rotated_out(Entry& entry, double length, double kept);

  std::map<std::string, Entry> entries_;
  std::vector<Entry*> largest_first_;
  torch::Tensor steps_;  // one double, so that a checkpoint holds it like the rest
  double weight_decay_;
};

}  // namespace fluidsplat::learn
