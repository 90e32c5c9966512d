// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/soap.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace fluidsplat::learn {
namespace {

constexpr double kBeta1 = 0.95, kBeta2 = 0.95, kEpsilon = 1e-8;

bool is_matrix(const torch::Tensor& t) {
  return t.dim() == 2 && std::min(t.size(0), t.size(1)) > 1;
}

// Eigenvectors as columns, the largest eigenvalue first.
torch::Tensor eigenbasis(const torch::Tensor& symmetric) {
  return std::get<1>(torch::linalg_eigh(symmetric, "L")).flip(1).contiguous();
}

}  // namespace

Soap::Soap(const TensorMap& parameters, double weight_decay)
    : steps_(torch::zeros({1}, torch::kFloat64)), weight_decay_(weight_decay) {
  Index turn = 0;
  for (const auto& [name, p] : parameters) {
    Entry e{p, torch::zeros_like(p), torch::zeros_like(p), {}, {}};
    const auto side = [&](Index size) {
      if (!is_matrix(p) || size > kLongest) return Side{};
      return Side{torch::zeros({size, size}, p.options()), torch::eye(size, p.options()), turn++};
    };
    if (p.dim() == 2) {
      e.left = side(p.size(0));
      e.right = side(p.size(1));
    }
    entries_[name] = e;
  }
  for (auto& [name, e] : entries_) largest_first_.push_back(&e);
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
      out[std::string(which) + "_statistic/" + name] = side->statistic;
      out[std::string(which) + "_basis/" + name] = side->basis;
    }
  }
  return out;
}

torch::Tensor Soap::rotate_in(const Entry& e, const torch::Tensor& g) {
  auto out = e.left.is_on() ? torch::matmul(e.left.basis.t(), g) : g;
  return e.right.is_on() ? torch::matmul(out, e.right.basis) : out;
}

torch::Tensor Soap::rotate_out(const Entry& e, const torch::Tensor& u) {
  auto out = e.left.is_on() ? torch::matmul(e.left.basis, u) : u;
  return e.right.is_on() ? torch::matmul(out, e.right.basis.t()) : out;
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

void Soap::gather(Entry& e, const torch::Tensor& g) {
  static const double kept = std::pow(kBeta2, double(kGatherEvery));
  if (e.left.is_on()) e.left.statistic.addmm_(g, g.t(), kept, 1 - kept);
  if (e.right.is_on()) e.right.statistic.addmm_(g.t(), g, kept, 1 - kept);
}

// One power step and a QR bring a basis nearer to its statistic's eigenvectors.  Columns are first brought into the
// order of their eigenvalues, the second moment with them; the first moment is turned from the old basis into the new
// one.
void Soap::refresh(Entry& e, Side& side) {
  const Index axis = &side == &e.left ? 0 : 1;
  const auto image = torch::matmul(side.statistic, side.basis);
  const auto order = (side.basis * image).sum(0).argsort(0, true);
  const auto basis = std::get<0>(torch::linalg_qr(image.index_select(1, order), "reduced"));
  const auto change = torch::matmul(basis.t(), side.basis);
  e.first.copy_(axis == 0 ? torch::matmul(change, e.first) : torch::matmul(e.first, change.t()));
  e.second.copy_(e.second.index_select(axis, order));
  side.basis.copy_(basis);
}

void Soap::update(Entry& e, double rate, Index taken) const {
  const auto& g = e.parameter.grad();
  if (!g.defined()) return;
  if (taken == 0) return begin(e, g);
  const double n = double(taken), correction1 = 1 - std::pow(kBeta1, n), correction2 = 1 - std::pow(kBeta2, n);
  const auto rotated = rotate_in(e, g);
  e.first.lerp_(rotated, 1 - kBeta1);
  e.second.mul_(kBeta2).addcmul_(rotated, rotated, 1 - kBeta2);
  // m / (sqrt(v / c) + epsilon), with one array for all of it.
  auto step = e.second.sqrt().add_(kEpsilon * std::sqrt(correction2));
  torch::div_out(step, e.first, step);
  if (weight_decay_ > 0) e.parameter.mul_(1 - rate * weight_decay_);
  e.parameter.sub_(rotate_out(e, step), rate * std::sqrt(correction2) / correction1);
  if (taken % kGatherEvery == 0) gather(e, g);
  for (Side* side : {&e.left, &e.right})
    if (side->is_on() && side->is_due(taken)) refresh(e, *side);
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
