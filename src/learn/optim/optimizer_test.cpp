// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/optimizer.h"

#include <gtest/gtest.h>

#include "learn/optim/adam.h"
#include "learn/optim/muon.h"
#include "learn/optim/soap.h"
#include "learn/train/torch_session.h"

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
  explicit TurnedValley(Index size) {
    torch::manual_seed(3);
    const auto stretch = torch::diag(torch::logspace(-1.5, 1.5, size, 10, kDouble));
    a = torch::matmul(stretch, random_rotation(size));
    b = torch::matmul(random_rotation(size), stretch);
    goal = torch::randn({size, size}, kDouble);
  }
  torch::Tensor loss(const torch::Tensor& w) const {
    return torch::matmul(torch::matmul(a, w - goal), b).square().sum();
  }
  // What is left of the first loss after some steps whose rate falls to zero.
  double remaining(OptimizerKind kind, double rate) const {
    auto w = torch::zeros_like(goal).requires_grad_();
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
  // Bases that are refreshed in one go, and in several blocks.
  for (Index size : {12, 100}) {
    const TurnedValley valley(size);
    double adam = 1, soap = 1;
    for (double rate : {0.01, 0.03, 0.1}) {
      adam = std::min(adam, valley.remaining(OptimizerKind::kAdam, rate));
      soap = std::min(soap, valley.remaining(OptimizerKind::kSoap, rate));
    }
    EXPECT_LT(soap, 1e-5 * adam) << size;
  }
}

// Adam with SOAP's betas, as it is written in books.
struct PlainAdam {
  explicit PlainAdam(const torch::Tensor& like)
      : first(torch::zeros_like(like)), second(first.clone()), moved(first.clone()) {}
  void step(const torch::Tensor& g, double rate) {
    first = 0.95 * first + 0.05 * g;
    second = 0.95 * second + 0.05 * g * g;
    const double c = 1 - std::pow(0.95, ++taken);
    moved -= rate * (first / c) / ((second / c).sqrt() + 1e-8);
  }
  torch::Tensor first, second, moved;
  int taken = 0;
};

// Where gradients already vary along the axes the bases are the identity, up to order and sign, and SOAP is Adam: with
// the same betas, after the first gradient, which only sets the bases.
TEST(Soap, IsAdamWhenTheBasesAreTheAxes) {
  // A diagonal gradient has diagonal outer products.
  const auto slope = torch::diag(torch::tensor({4.0, -3.0, 2.0, 1.0}, kDouble));
  auto w = torch::zeros({4, 4}, kDouble).requires_grad_();
  Soap soap({{"w", w}}, 0);
  PlainAdam adam(slope);
  torch::manual_seed(2);
  for (int i = 0; i <= 35; ++i) {
    const auto g = slope * (1 + 0.3 * torch::rand({4, 4}, kDouble));
    w.mutable_grad() = g;
    soap.step(0.01);
    if (i > 0) adam.step(g, 0.01);
  }
  // Off the diagonal nothing moves; there 0 / 0 is not asked of Adam.
  EXPECT_LT((w - adam.moved).diagonal().abs().max().item<double>(), 1e-9);
  EXPECT_LT((w - torch::diag(w.diagonal())).abs().max().item<double>(), 1e-6);
}

struct Made {
  torch::Tensor matrix, vector;
  std::unique_ptr<Optimizer> optimizer;
  TensorMap parameters() const { return {{"m", matrix}, {"v", vector}}; }
  // Gradients of a few directions, other ones at each step, as those of small batches are.
  void step(Index i) {
    torch::manual_seed(100 + i);
    matrix.mutable_grad() = torch::matmul(torch::randn({matrix.size(0), 3}), torch::randn({3, matrix.size(1)}));
    vector.mutable_grad() = torch::randn_like(vector);
    optimizer->step(0.01);
  }
};

// Sides of several blocks, so that SOAP is in the middle of a refresh after most steps.
Made make(OptimizerKind kind) {
  torch::manual_seed(4);
  Made made{torch::randn({200, 150}).requires_grad_(), torch::randn({30}).requires_grad_(), nullptr};
  made.optimizer = make_optimizer({kind, 1e-4}, made.parameters());
  return made;
}

// The whole state goes through state(): a second optimiser that takes it over goes on with the same bits.
TEST(Optimizers, StateIsAllThatDecidesTheNextStep) {
  for (auto kind : {OptimizerKind::kAdam, OptimizerKind::kSoap, OptimizerKind::kMuon}) {
    for (Index stop : {1, 13, 16, 20}) {
      auto first = make(kind), second = make(kind);
      for (Index i = 0; i < stop; ++i) first.step(i);
      copy_into(second.parameters(), clone(first.parameters()), "test");
      copy_into(second.optimizer->state(), clone(first.optimizer->state()), "test");
      for (Index i = stop; i < stop + 12; ++i) {
        first.step(i);
        second.step(i);
      }
      EXPECT_TRUE(torch::equal(first.matrix, second.matrix)) << int(kind) << " stopped at " << stop;
      EXPECT_TRUE(torch::equal(first.vector, second.vector)) << int(kind) << " stopped at " << stop;
    }
  }
}

TEST(Soap, BitsDoNotDependOnTheNumberOfThreads) {
  std::vector<torch::Tensor> results;
  for (int threads : {1, 2}) {
    const TorchSession session(threads);
    auto made = make(OptimizerKind::kSoap);
    for (Index i = 0; i < 25; ++i) made.step(i);
    results.push_back(made.matrix);
  }
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

TEST(Soap, BasesStayOrthonormal) {
  auto made = make(OptimizerKind::kSoap);
  for (Index i = 0; i < 60; ++i) made.step(i);
  const auto state = made.optimizer->state();
  for (const char* name : {"left_basis/m", "right_basis/m"}) {
    const auto basis = state.at(name);
    const auto gram = torch::matmul(basis.t(), basis);
    EXPECT_LT((gram - torch::eye(basis.size(0))).abs().max().item<double>(), 1e-5) << name;
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

// Every way of rotating has its own way of adding the step: both sides, one of them, none.
TEST(Soap, DecaysWeightsThatHaveNoGradient) {
  constexpr double kRate = 0.1, kDecay = 0.5;
  constexpr Index kLong = Soap::kLongest + 1, kSteps = 15;
  for (const auto& shape : {std::vector<Index>{4, 3}, {kLong, 3}, {3, kLong}, {5}}) {
    auto w = torch::randn(shape, kDouble).requires_grad_();
    const auto before = w.detach().clone();
    Soap soap({{"w", w}}, kDecay);
    for (Index i = 0; i <= kSteps; ++i) {  // the first only begins
      w.mutable_grad() = torch::zeros_like(w);
      soap.step(kRate);
    }
    const auto expected = before * std::pow(1 - kRate * kDecay, double(kSteps));
    EXPECT_LT((w - expected).abs().max().item<double>(), 1e-12) << shape;
  }
}

// A one-sided matrix whose gradients vary along the axes is moved as Adam would.
TEST(Soap, MovesOneSidedMatricesAndVectorsLikeAdam) {
  constexpr Index kLong = Soap::kLongest + 1;
  for (const auto& shape : {std::vector<Index>{kLong, 2}, {2, kLong}, {5}}) {
    torch::manual_seed(8);
    auto w = torch::zeros(shape, kDouble).requires_grad_();
    Soap soap({{"w", w}}, 0);
    // One row or column of the short side is silent, so that its basis stays the axes up to sign and order.
    auto mask = torch::ones(shape, kDouble);
    if (shape.size() == 2) mask.select(shape[0] == 2 ? 0 : 1, 1).zero_();
    PlainAdam adam(mask);
    for (int i = 0; i <= 8; ++i) {
      const auto g = torch::randn(shape, kDouble) * mask;
      w.mutable_grad() = g;
      soap.step(0.01);
      if (i > 0) adam.step(g, 0.01);
    }
    EXPECT_LT((w - adam.moved).abs().max().item<double>(), 1e-9) << shape;
  }
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
