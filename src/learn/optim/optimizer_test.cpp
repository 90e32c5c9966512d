// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/optimizer.h"

#include <gtest/gtest.h>

#include "learn/optim/adam.h"
#include "learn/optim/muon.h"
#include "learn/optim/soap.h"

namespace fluidsplat::learn {
namespace {

const auto kDouble = torch::kFloat64;

void set_gradient(torch::Tensor& p, const torch::Tensor& loss) {
  p.mutable_grad() = torch::Tensor();
  loss.backward();
}

TEST(Adam, MatchesLibtorch) {
  torch::manual_seed(1);
  auto mine = torch::randn({7}, kDouble).requires_grad_(), theirs = mine.detach().clone().requires_grad_();
  Adam a({{"w", mine}}, 0.01);
  torch::optim::Adam b({theirs}, torch::optim::AdamOptions(0.05).weight_decay(0.01));
  for (int i = 0; i < 50; ++i) {
    for (auto* p : {&mine, &theirs}) set_gradient(*p, (*p - 2).pow(4).sum());
    a.step(0.05);
    b.step();
  }
  EXPECT_LT((mine - theirs).abs().max().item<double>(), 1e-10);
}

torch::Tensor random_rotation(Index n) {
  return std::get<0>(torch::linalg_qr(torch::randn({n, n}, kDouble), "reduced"));
}

// f(W) = |A (W - W*) B|^2 with condition numbers of 1e3 on both sides, turned away from the axes: the case that an
// optimiser which knows only axes is slow on.
struct TurnedValley {
  TurnedValley() {
    torch::manual_seed(3);
    const auto stretch = torch::diag(torch::logspace(-1.5, 1.5, 12, 10, kDouble));
    a = torch::matmul(stretch, random_rotation(12));
    b = torch::matmul(random_rotation(12), stretch);
    goal = torch::randn({12, 12}, kDouble);
  }
  torch::Tensor loss(const torch::Tensor& w) const {
    return torch::matmul(torch::matmul(a, w - goal), b).square().sum();
  }
  // What is left of the first loss after some steps whose rate falls to zero.
  double remaining(OptimizerKind kind, double rate) const {
    auto w = torch::zeros({12, 12}, kDouble).requires_grad_();
    const double first = loss(w).item<double>();
    const auto optimizer = make_optimizer({kind, 0}, {{"w", w}});
    constexpr int kSteps = 600;
    for (int i = 0; i < kSteps; ++i) {
      set_gradient(w, loss(w));
      optimizer->step(rate * (1 - double(i) / kSteps));
    }
    return loss(w).item<double>() / first;
  }
  torch::Tensor a, b, goal;
};

TEST(Soap, GoesDownATurnedValleyThatAdamIsSlowIn) {
  const TurnedValley valley;
  double adam = 1, soap = 1;
  for (double rate : {0.01, 0.03, 0.1}) {
    adam = std::min(adam, valley.remaining(OptimizerKind::kAdam, rate));
    soap = std::min(soap, valley.remaining(OptimizerKind::kSoap, rate));
  }
  EXPECT_LT(soap, 0.1 * adam);
}

// Where gradients already vary along the axes the bases are the identity, up to order and sign, and SOAP is Adam: with
// the same betas, after the first gradient, which only sets the bases.
TEST(Soap, IsAdamWhenTheBasesAreTheAxes) {
  // A diagonal gradient has diagonal outer products.
  const auto slope = torch::diag(torch::tensor({4.0, -3.0, 2.0, 1.0}, kDouble));
  auto w = torch::zeros({4, 4}, kDouble).requires_grad_();
  Soap soap({{"w", w}}, 0);
  auto first = torch::zeros({4, 4}, kDouble), second = torch::zeros({4, 4}, kDouble),
       expected = torch::zeros({4, 4}, kDouble);
  torch::manual_seed(2);
  for (int i = 0; i <= 35; ++i) {
    const auto g = slope * (1 + 0.3 * torch::rand({4, 4}, kDouble));
    w.mutable_grad() = g;
    soap.step(0.01);
    if (i == 0) continue;
    first = 0.95 * first + 0.05 * g;
    second = 0.95 * second + 0.05 * g * g;
    const double c = 1 - std::pow(0.95, i);
    expected -= 0.01 * (first / c) / ((second / c).sqrt() + 1e-8);
  }
  // Off the diagonal nothing moves; there 0 / 0 is not asked of Adam.
  EXPECT_LT((w - expected).diagonal().abs().max().item<double>(), 1e-9);
  EXPECT_LT((w - torch::diag(w.diagonal())).abs().max().item<double>(), 1e-6);
}

// The whole state goes through state(): a second optimiser that takes it over goes on with the same bits.
TEST(Optimizers, StateIsAllThatDecidesTheNextStep) {
  for (auto kind : {OptimizerKind::kAdam, OptimizerKind::kSoap, OptimizerKind::kMuon}) {
    torch::manual_seed(4);
    auto a = torch::randn({20, 30}).requires_grad_(), v = torch::randn({30}).requires_grad_();
    auto b = a.detach().clone().requires_grad_(), u = v.detach().clone().requires_grad_();
    auto first = make_optimizer({kind, 1e-4}, {{"m", a}, {"v", v}});
    auto second = make_optimizer({kind, 1e-4}, {{"m", b}, {"v", u}});
    const auto step = [](Optimizer& o, torch::Tensor& m, torch::Tensor& x, int i) {
      torch::manual_seed(100 + i);
      m.mutable_grad() = torch::randn_like(m);
      x.mutable_grad() = torch::randn_like(x);
      o.step(0.01);
    };
    for (int i = 0; i < 27; ++i) step(*first, a, v, i);
    copy_into({{"m", b}, {"v", u}}, {{"m", a.detach()}, {"v", v.detach()}}, "test");
    copy_into(second->state(), clone(first->state()), "test");
    for (int i = 27; i < 50; ++i) {
      step(*first, a, v, i);
      step(*second, b, u, i);
    }
    EXPECT_TRUE(torch::equal(a, b)) << int(kind);
    EXPECT_TRUE(torch::equal(v, u)) << int(kind);
  }
}

TEST(Soap, LongSidesAndVectorsAreLeftToPlainAdam) {
  auto tall = torch::randn({Soap::kLongest + 1, 3}).requires_grad_(), vector = torch::randn({5}).requires_grad_();
  Soap soap({{"tall", tall}, {"vector", vector}}, 0);
  const auto state = soap.state();
  EXPECT_FALSE(state.contains("left_basis/tall"));
  EXPECT_TRUE(state.contains("right_basis/tall"));
  EXPECT_FALSE(state.contains("left_basis/vector"));
  for (int i = 0; i < 15; ++i) {
    tall.mutable_grad() = torch::randn_like(tall);
    vector.mutable_grad() = torch::randn_like(vector);
    soap.step(0.01);
  }
  EXPECT_TRUE(torch::isfinite(tall).all().item<bool>());
}

TEST(Muon, BringsSingularValuesNearOne) {
  torch::manual_seed(6);
  for (auto shape : {std::vector<Index>{20, 30}, {30, 20}}) {
    const auto values = torch::linalg_svdvals(orthogonalized(torch::randn(shape, kDouble)));
    EXPECT_GT(values.min().item<double>(), 0.5);
    EXPECT_LT(values.max().item<double>(), 1.3);
  }
}

}  // namespace
}  // namespace fluidsplat::learn
