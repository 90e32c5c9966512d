// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/soap.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "learn/optim/adam_pass.h"
#include "learn/optim/next_basis.h"

namespace fluidsplat::learn {
namespace {

constexpr double kBeta1 = 0.95, kBeta2 = 0.95, kEpsilon = 1e-8;

// Steps between two gradients that a statistic takes in.
constexpr Index gather_every(Index step) {
  return step < 500 ? 2 : 4;
}

bool is_matrix(const torch::Tensor& t) {
  return t.dim() == 2 && std::min(t.size(0), t.size(1)) > 1;
}

// Eigenvectors as columns, the largest eigenvalue first.
torch::Tensor eigenbasis(const torch::Tensor& symmetric) {
  return std::get<1>(torch::linalg_eigh(symmetric, "L")).flip(1).contiguous();
}

}  // namespace

Soap::Side::Side(Index length, const torch::TensorOptions& options)
    : statistic(torch::zeros({length, length}, options)),
      basis(torch::eye(length, options)),
      next(torch::zeros({length, length}, options)),
      order(torch::zeros({length}, options)) {}

Soap::Soap(const TensorMap& parameters, double weight_decay)
    : steps_(torch::zeros({1}, torch::kFloat64)), weight_decay_(weight_decay) {
  std::vector<Side*> sides;
  std::vector<SideSize> sizes;
  for (const auto& [name, p] : parameters) {
    // Contiguous whatever the parameter is: the moments are gone through as arrays.
    const auto room = [&] { return torch::zeros(p.sizes(), p.options()); };
    Entry& e = entries_[name] = {p, room(), room(), room(), room(), {}, {}};
    largest_first_.push_back(&e);
    for (Index axis : {0, 1}) {
      if (!is_matrix(p) || p.size(axis) > kLongest) continue;
      sides.push_back(axis == 0 ? &e.left : &e.right);
      *sides.back() = Side(p.size(axis), p.options());
      sizes.push_back({.length = p.size(axis), .other = p.size(1 - axis)});
    }
  }
  const auto plan = plan_refreshes(sizes);
  for (Index i = 0; i < std::ssize(sides); ++i) {
    sides[i]->turn = i;
    sides[i]->blocks = plan[i];
  }
  std::stable_sort(largest_first_.begin(), largest_first_.end(),
                   [](const Entry* a, const Entry* b) { return a->parameter.numel() > b->parameter.numel(); });
}

TensorMap Soap::state() const {
  TensorMap out = {{"steps", steps_}};
  for (const auto& [name, e] : entries_) {
    out["first/" + name] = e.first;
    out["second/" + name] = e.second;
    for (const auto& [which, side] : {std::pair("left", &e.left), std::pair("right", &e.right)}) {
      if (!side->is_on()) continue;
      const std::string prefix = which;
      out[prefix + "_statistic/" + name] = side->statistic;
      out[prefix + "_basis/" + name] = side->basis;
      out[prefix + "_next/" + name] = side->next;
      out[prefix + "_order/" + name] = side->order;
    }
  }
  return out;
}

void Soap::rotate_in(Entry& e, const torch::Tensor& g) {
  if (e.left.is_on() && e.right.is_on()) {
    torch::mm_out(e.half, e.left.basis.t(), g);
    torch::mm_out(e.turned, e.half, e.right.basis);
  } else if (e.left.is_on()) {
    torch::mm_out(e.turned, e.left.basis.t(), g);
  } else if (e.right.is_on()) {
    torch::mm_out(e.turned, g, e.right.basis);
  } else {
    e.turned.copy_(g);
  }
}

void Soap::add_rotated_out(Entry& e, double length, double kept) {
  if (e.left.is_on() && e.right.is_on()) {
    torch::mm_out(e.half, e.left.basis, e.turned);
    e.parameter.addmm_(e.half, e.right.basis.t(), kept, length);
  } else if (e.left.is_on()) {
    e.parameter.addmm_(e.left.basis, e.turned, kept, length);
  } else if (e.right.is_on()) {
    e.parameter.addmm_(e.turned, e.right.basis.t(), kept, length);
  } else {
    if (kept != 1) e.parameter.mul_(kept);
    e.parameter.add_(e.turned, length);
  }
}

// The first gradient only tells where the bases begin.
void Soap::begin(Entry& e, const torch::Tensor& g) {
  if (e.left.is_on()) {
    e.left.statistic.copy_(torch::matmul(g, g.t()));
    e.left.basis.copy_(eigenbasis(e.left.statistic));
  }
  if (e.right.is_on()) {
    e.right.statistic.copy_(torch::matmul(g.t(), g));
    e.right.basis.copy_(eigenbasis(e.right.statistic));
  }
}

// Sides take turns, so that all steps are alike.
void Soap::gather(Entry& e, const torch::Tensor& g, Index taken) {
  const Index every = gather_every(taken);
  const double kept = std::pow(kBeta2, double(every));
  const auto is_due = [&](const Side& side) { return side.is_on() && (taken + side.turn) % every == 0; };
  if (is_due(e.left)) e.left.statistic.addmm_(g, g.t(), kept, 1 - kept);
  if (is_due(e.right)) e.right.statistic.addmm_(g.t(), g, kept, 1 - kept);
}

void Soap::move(Entry& e, const torch::Tensor& g, double rate, Index taken) const {
  const double n = double(taken), correction1 = 1 - std::pow(kBeta1, n), correction2 = 1 - std::pow(kBeta2, n);
  rotate_in(e, g);
  // With this epsilon m / (sqrt(v) + epsilon) is Adam's step but for a factor, which goes into the rate.
  const AdamPass pass{kBeta1, kBeta2, kEpsilon * std::sqrt(correction2)};
  AT_DISPATCH_FLOATING_TYPES(e.turned.scalar_type(), "soap", [&] {
    adam_pass(pass, e.turned.numel(), e.turned.data_ptr<scalar_t>(), e.first.data_ptr<scalar_t>(),
              e.second.data_ptr<scalar_t>());
  });
  add_rotated_out(e, -rate * std::sqrt(correction2) / correction1, 1 - rate * weight_decay_);
}

// Columns of a new basis are made in the order of their eigenvalues, which the second moment knows: its sum over the
// other side is the mean square of the gradients' part along a column.  With its last block the basis takes over; the
// second moment goes with its columns, the first is turned from the old basis into the new one.
void Soap::refresh(Entry& e, Side& side, const BasisBlock& block) {
  const Index axis = &side == &e.left ? 0 : 1;
  if (block.begin == 0) side.order.copy_(e.second.sum(1 - axis).argsort(/*stable=*/true, 0, /*descending=*/true));
  renew_columns(side.statistic, side.basis, side.order, block.begin, block.end, side.next);
  if (block.end < side.order.size(0)) return;
  e.first.copy_(axis == 0 ? torch::matmul(side.next.t(), torch::matmul(side.basis, e.first))
                          : torch::matmul(torch::matmul(e.first, side.basis.t()), side.next));
  e.second.copy_(e.second.index_select(axis, side.order.to(torch::kInt64)));
  side.basis.copy_(side.next);
}

// A refresh goes on without a gradient too, or columns would be left out.
void Soap::update(Entry& e, double rate, Index taken) const {
  const auto& g = e.parameter.grad();
  if (g.defined() && taken == 0) begin(e, g);
  if (g.defined() && taken > 0) {
    move(e, g, rate, taken);
    gather(e, g, taken);
  }
  for (Side* side : {&e.left, &e.right})
    for (const auto& block : side->blocks)
      if (block.is_due(taken)) refresh(e, *side, block);
}

void Soap::step(double rate) {
  const auto taken = Index(steps_.item<double>());
  std::exception_ptr failure;
  // Whole matrices to a thread: libtorch and BLAS then work on one thread each, so the bits do not depend on how many
  // there are.
#pragma omp parallel for schedule(dynamic, 1) num_threads(torch::get_num_threads())
  for (Index i = 0; i < std::ssize(largest_first_); ++i) {
    try {
      const torch::NoGradGuard no_grad;
      update(*largest_first_[i], rate, taken);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  steps_ += 1;
}

}  // namespace fluidsplat::learn
