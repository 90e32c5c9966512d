// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/fused_operator.h"

#include <gtest/gtest.h>

#include "kernels/every_target.h"
#include "learn/fluidsplat/fluidsplat.h"
#include "learn/fluidsplat/gradient_check.h"

namespace fluidsplat::learn {
namespace {

model::FluidSplatSpec small_spec(Index dim) {
  model::FluidSplatSpec c;
  c.dim = dim;
  c.primitives = 6;
  c.context = 9;
  c.encoder_width = 5;
  c.bands = 3;
  c.attention_width = 8;
  c.heads = 2;
  c.layers = 2;
  c.width = 13;
  return c;
}

// The grid of sizes and switches over which both engines must agree.
std::vector<std::pair<std::string, model::FluidSplatSpec>> grid() {
  std::vector<std::pair<std::string, model::FluidSplatSpec>> out;
  const auto add = [&](const std::string& name, auto change) {
    for (Index dim : {2, 3}) {
      auto c = small_spec(dim);
      change(c);
      out.emplace_back(name + ", d = " + std::to_string(dim), c);
    }
  };
  for (Index k : {1, 3, 64, 97, 384})
    add("K = " + std::to_string(k), [=](model::FluidSplatSpec& c) { c.primitives = k; });
  for (Index n : {1, 2, 3, 4}) add("C = " + std::to_string(n), [=](model::FluidSplatSpec& c) { c.channels = n; });
  for (Index h : {1, 4}) add("heads = " + std::to_string(h), [=](model::FluidSplatSpec& c) { c.heads = h; });
  add("axis-aligned", [](model::FluidSplatSpec& c) { c.rotation = model::Rotation::kAxis; });
  add("no attention", [](model::FluidSplatSpec& c) { c.attention = false; });
  add("no state features", [](model::FluidSplatSpec& c) { c.state_features = false; });
  add("no global token", [](model::FluidSplatSpec& c) { c.global_token = false; });
  add("features", [](model::FluidSplatSpec& c) { c.features = 5; });
  add("modulated", [](model::FluidSplatSpec& c) { c.descriptors = 3, c.modulation_gain = 0.3; });
  add("sine", [](model::FluidSplatSpec& c) { c.activation = model::Activation::kSine; });
  add("residual", [](model::FluidSplatSpec& c) { c.output = model::Output::kResidual; });
  add("primitive", [](model::FluidSplatSpec& c) { c.output = model::Output::kPrimitive; });
  return out;
}

// A model twice: as plain modules in double precision, and fused in float, with the same weights.
struct Pair {
  explicit Pair(const model::FluidSplatSpec& spec) : exact(spec), fused(spec) {
    torch::NoGradGuard no_grad;
    for (auto& p : fused.named_parameters())
      if (p.key().rfind("decoder.", 0) == 0 && p.value().dim() == 2)
        p.value().mul_(2);  // away from the small start, so that every term matters
    exact.to(torch::kFloat64);
    auto targets = exact.named_parameters();
    for (const auto& p : fused.named_parameters()) targets[p.key()].copy_(p.value());
    fused.use_fast_kernels();
  }
  FluidSplat exact, fused;
};

double relative_error(const torch::Tensor& ours, const torch::Tensor& exact) {
  return ((ours.to(torch::kFloat64) - exact).norm() / exact.norm().clamp_min(1e-3)).item<double>();
}

void expect_agreement(const model::FluidSplatSpec& c, Index batch, Index queries) {
  torch::manual_seed(7);
  Pair models(c);
  const auto z = torch::randn({batch, c.context}), descriptors = torch::randn({batch, c.descriptors});
  const auto x = torch::rand({batch, queries, c.dim}), features = torch::randn({batch, queries, c.features});
  const auto run = [&](FluidSplat& model, torch::Dtype type) {
    const auto leaf = [&](const torch::Tensor& t) { return t.to(type, false, true).set_requires_grad(true); };
    const auto zi = leaf(z), xi = leaf(x);
    const auto field = model.decode(zi, descriptors.to(type), {xi, features.to(type)});
    weighted_sum(field).backward();
    return std::vector<torch::Tensor>{field.detach(), zi.grad(), xi.grad()};
  };
  const auto exact = run(models.exact, torch::kFloat64), ours = run(models.fused, torch::kFloat32);
  EXPECT_LE(relative_error(ours[0], exact[0]), 1e-5) << "field";
  EXPECT_LE(relative_error(ours[1], exact[1]), 1e-4) << "gradient of z";
  EXPECT_LE(relative_error(ours[2], exact[2]), 1e-4) << "gradient of positions";
  const auto gradients = models.exact.named_parameters();
  for (const auto& p : models.fused.named_parameters()) {
    if (p.key().rfind("encoder.", 0) == 0) continue;  // not part of decode()
    ASSERT_EQ(p.value().grad().defined(), gradients[p.key()].grad().defined()) << p.key();
    if (!p.value().grad().defined()) continue;
    if (p.key() == "decoder.attention.k.bias") {
      // Shifts all scores of a query alike, so its gradient is zero: only rounding is left to bound.
      EXPECT_LE(p.value().grad().norm().item<double>(), 1e-5);
      continue;
    }
    EXPECT_LE(relative_error(p.value().grad(), gradients[p.key()].grad()), 2e-4) << p.key();
  }
}

TEST(FusedEngine, EqualsThePlainModulesForwardAndBackward) {
  for (const auto& [name, spec] : grid()) {
    SCOPED_TRACE(name);
    expect_agreement(spec, 2, 1);
    kernels::for_every_target([&, &spec = spec] { expect_agreement(spec, 2, 7); });
  }
  expect_agreement(small_spec(2), 3, 1000);
  expect_agreement(small_spec(3), 1, 1000);
}

// The one-pass loss must have the value and the gradients of the plain one.
TEST(FusedEngine, SquaredErrorEqualsThePlainModules) {
  for (const auto& [name, spec] : grid()) {
    SCOPED_TRACE(name);
    torch::manual_seed(11);
    Pair models(spec);
    const Index batch = 3, queries = 29;
    const auto x = torch::rand({batch, queries, spec.dim});
    const auto targets = torch::randn({batch, queries, spec.channels});
    const auto weights = torch::rand({batch, queries, spec.channels});
    Observation seen;
    seen.positions = torch::rand({batch, 4, spec.dim});
    seen.values = torch::randn({batch, 4});
    seen.channels = torch::zeros({batch, 4}, torch::kInt64);
    seen.present = torch::ones({batch, 4});
    seen.descriptors = torch::randn({batch, spec.descriptors});
    const auto features = torch::randn({batch, queries, spec.features});
    const auto run = [&](FluidSplat& model, torch::Dtype type) {
      Observation o = seen;
      for (auto* t : {&o.positions, &o.values, &o.present, &o.descriptors}) *t = t->to(type);
      const auto e = model.squared_error(o, {x.to(type), features.to(type)}, targets.to(type), weights.to(type));
      (3 * e.sum).backward();
      return e;
    };
    const auto exact = run(models.exact, torch::kFloat64), ours = run(models.fused, torch::kFloat32);
    EXPECT_LE(relative_error(ours.sum, exact.sum), 1e-5);
    EXPECT_LE(relative_error(ours.field, exact.field), 1e-5);
    const auto gradients = models.exact.named_parameters();
    for (const auto& p : models.fused.named_parameters()) {
      if (!p.value().grad().defined() || p.key() == "decoder.attention.k.bias") continue;
      EXPECT_LE(relative_error(p.value().grad(), gradients[p.key()].grad()), 2e-4) << p.key();
    }
  }
}

// Packed weights are made anew for every gradient: a call in between must not spoil it.
TEST(FusedEngine, GradientsBelongToTheirOwnForward) {
  torch::manual_seed(3);
  const auto c = small_spec(2);
  FluidSplat model(c);
  model.use_fast_kernels();
  const auto z = torch::randn({2, c.context}), x = torch::rand({2, 20, 2});
  const auto gradient = [&](bool disturb) {
    model.zero_grad();
    const auto loss = weighted_sum(model.decode(z, torch::zeros({2, 0}), {x, {}}));
    if (disturb) {
      torch::NoGradGuard no_grad;
      model.decode(torch::randn({1, c.context}), torch::zeros({1, 0}), {torch::rand({1, 500, 2}), {}});
    }
    loss.backward();
    return model.head->weight.grad().clone();
  };
  EXPECT_TRUE(torch::equal(gradient(false), gradient(true)));
}

TEST(FusedEngine, RefusesDoubles) {
  FluidSplat model(small_spec(2));
  model.use_fast_kernels();
  model.to(torch::kFloat64);
  EXPECT_ANY_THROW(
      model.decode(torch::zeros({1, 9}, torch::kFloat64), {}, {torch::zeros({1, 1, 2}, torch::kFloat64), {}}));
}

}  // namespace
}  // namespace fluidsplat::learn
