// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/fluidsplat.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "learn/fluidsplat/fourier.h"
#include "learn/fluidsplat/gradient_check.h"

namespace fluidsplat::learn {
namespace {

constexpr Index kBatch = 2, kSensors = 5, kQueries = 7;

model::FluidSplatSpec small_spec(Index dim = 2) {
  model::FluidSplatSpec c;
  c.dim = dim;
  c.channels = 2;
  c.primitives = 6;
  c.context = 8;
  c.encoder_width = 7;
  c.encoder_bands = 2;
  c.bands = 2;
  c.attention_width = 8;
  c.heads = 2;
  c.layers = 2;
  c.width = 9;
  return c;
}

model::FluidSplatSpec full_spec(Index dim) {
  auto c = small_spec(dim);
  c.features = 3;
  c.descriptors = 2;
  c.modulation_gain = 0.35;
  c.geometry = true;
  c.geometry_features = dim;
  return c;
}

Observation random_observation(const model::FluidSplatSpec& c, torch::Dtype type = torch::kFloat64) {
  const auto o = torch::TensorOptions().dtype(type);
  Observation out;
  out.positions = torch::rand({kBatch, kSensors, c.dim}, o);
  out.values = torch::randn({kBatch, kSensors}, o);
  out.channels = torch::arange(kBatch * kSensors).remainder(c.channels).view({kBatch, kSensors});
  out.present = torch::ones({kBatch, kSensors}, o);
  out.present[0][3] = 0;
  out.descriptors = torch::randn({kBatch, c.descriptors}, o);
  if (c.geometry) {
    out.geometry_positions = torch::rand({kBatch, 4, c.dim}, o);
    out.geometry_features = torch::randn({kBatch, 4, c.geometry_features}, o);
    out.geometry_present = torch::ones({kBatch, 4}, o);
  }
  return out;
}

Queries random_queries(const model::FluidSplatSpec& c, torch::Dtype type = torch::kFloat64) {
  const auto o = torch::TensorOptions().dtype(type);
  return {torch::rand({kBatch, kQueries, c.dim}, o), torch::randn({kBatch, kQueries, c.features}, o)};
}

std::shared_ptr<FluidSplat> make(const model::FluidSplatSpec& c, torch::Dtype type = torch::kFloat64) {
  torch::manual_seed(5);
  auto model = std::make_shared<FluidSplat>(c);
  model->to(type);
  return model;
}

TEST(FourierFeatures, BlocksAreSinAndCosOfDoublingFrequencies) {
  const auto x = torch::tensor({{0.25, 0.5}}, torch::kFloat64);
  const auto g = fourier_features(x, 2);
  ASSERT_EQ(g.size(1), 2 * (1 + 2 * 2));
  const double pi = 3.14159265358979323846;
  const double expected[] = {0.25, 0.5, sin(0.25 * pi), 1, cos(0.25 * pi), 0, 1, 0, 0, -1};
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(g[0][i].item<double>(), expected[i], 1e-12) << i;
}

// Every part of the model, in every variant, against finite differences: parameters, sensors and query positions.
class WholeModelGradient : public testing::TestWithParam<int> {};

TEST_P(WholeModelGradient, MatchesFiniteDifferences) {
  std::vector<model::FluidSplatSpec> variants;
  for (Index dim : {2, 3})
    for (auto rotation : {model::Rotation::kFull, model::Rotation::kAxis}) {
      auto c = full_spec(dim);
      c.rotation = rotation;
      variants.push_back(c);
    }
  auto add = [&](auto change) {
    auto c = full_spec(2);
    change(c);
    variants.push_back(c);
  };
  add([](auto& c) {
    c.encoder = model::TokenKind::kLinear;
    c.activation = model::Activation::kSine;
  });
  add([](auto& c) {
    c.encoder_fuse = model::Fuse::kLinear;
    c.geometry = false;
  });
  add([](auto& c) { c.attention = false; });
  add([](auto& c) {
    c.state_features = false;
    c.global_token = false;
  });
  add([](auto& c) { c.output = model::Output::kResidual; });
  add([](auto& c) { c.output = model::Output::kPrimitive; });
  const auto c = variants.at(GetParam());
  auto model = make(c);
  auto observation = random_observation(c);
  auto queries = random_queries(c);
  auto inputs = model->parameters();
  for (auto* t : {&observation.positions, &observation.values, &queries.positions, &queries.features}) {
    t->requires_grad_();
    inputs.push_back(*t);
  }
  expect_gradients_match([&] { return weighted_sum(model->reconstruct(observation, queries)); }, inputs);
}

INSTANTIATE_TEST_SUITE_P(Variants, WholeModelGradient, testing::Range(0, 10));

TEST(Encoder, OrderOfSensorsDoesNotMatter) {
  for (auto kind : {model::TokenKind::kPaper, model::TokenKind::kLinear}) {
    auto c = small_spec();
    c.encoder = kind;
    auto model = make(c);
    const auto o = random_observation(c);
    const auto queries = random_queries(c);
    const auto order = torch::tensor({4, 2, 0, 3, 1});
    auto shuffled = o;
    shuffled.positions = o.positions.index_select(1, order);
    shuffled.values = o.values.index_select(1, order);
    shuffled.channels = o.channels.index_select(1, order);
    shuffled.present = o.present.index_select(1, order);
    EXPECT_LT((model->reconstruct(o, queries) - model->reconstruct(shuffled, queries)).abs().max().item<double>(),
              1e-12);
  }
}

TEST(Encoder, AbsentSensorsHaveNoEffectWhateverTheySay) {
  const auto c = small_spec();
  auto model = make(c);
  auto o = random_observation(c);
  const auto before = model->context(o);
  o.values[0][3] = 1e6;
  o.positions[0][3] = 0.123;
  EXPECT_TRUE(torch::equal(before, model->context(o)));
  o.values[0][2] = 1e3;
  EXPECT_FALSE(torch::allclose(before[0], model->context(o)[0])) << "a present sensor must matter";
}

TEST(Encoder, PaddingDoesNotChangeTheContext) {
  const auto c = small_spec();
  auto model = make(c);
  auto o = random_observation(c);
  o.present.fill_(1);
  const auto before = model->context(o);
  const auto pad = [](const torch::Tensor& t) { return torch::cat({t, torch::zeros_like(t)}, 1); };
  o.positions = pad(o.positions);
  o.values = pad(o.values);
  o.channels = pad(o.channels);
  o.present = pad(o.present);
  EXPECT_LT((before - model->context(o)).abs().max().item<double>(), 1e-12);
}

TEST(Encoder, SaysSomethingFiniteWithNoSensorAtAll) {
  const auto c = small_spec();
  auto model = make(c, torch::kFloat32);
  auto o = random_observation(c, torch::kFloat32);
  o.present.zero_();
  EXPECT_TRUE(torch::isfinite(model->reconstruct(o, random_queries(c, torch::kFloat32))).all().item<bool>());
}

TEST(Encoder, TheLinearKindIsAffineInTheReadings) {
  auto c = small_spec();
  c.encoder = model::TokenKind::kLinear;
  c.encoder_fuse = model::Fuse::kLinear;
  auto model = make(c);
  auto o = random_observation(c);
  const auto v = o.values.clone();
  const auto z = [&](double s) {
    o.values = v * s;
    return model->context(o);
  };
  EXPECT_LT((z(2) - 2 * z(1) + z(0)).abs().max().item<double>(), 1e-12);
}

TEST(PrimitiveHead, StaysInTheDomainAndInRangeForAnyContext) {
  for (Index dim : {2, 3}) {
    auto c = small_spec(dim);
    auto model = make(c);
    const auto p = model->primitives(50 * torch::randn({4, c.context}, torch::kFloat64));
    EXPECT_GE(p.centre.min().item<double>(), 0);
    EXPECT_LE(p.centre.max().item<double>(), 1);
    EXPECT_GE(p.scale.min().item<double>(), c.scale_min);
    EXPECT_LE(p.scale.max().item<double>(), c.scale_max);
    EXPECT_LE(p.log_weight.max().item<double>(), 0);
    const auto r = p.rotation.view({-1, dim, dim});
    const auto identity = torch::eye(dim, torch::kFloat64).expand_as(r);
    EXPECT_TRUE(torch::allclose(torch::matmul(r, r.transpose(1, 2)), identity, 1e-9, 1e-9));
    EXPECT_TRUE(torch::allclose(torch::det(r), torch::ones({r.size(0)}, torch::kFloat64)));
  }
}

TEST(PrimitiveHead, InitialCentresFillTheDomain) {
  for (Index dim : {2, 3}) {
    auto c = small_spec(dim);
    c.primitives = 64;
    auto model = make(c, torch::kFloat32);
    const auto centre = model->primitives(torch::zeros({1, c.context})).centre[0];
    const auto probe = torch::rand({2000, dim});
    const auto nearest = std::get<0>(torch::cdist(probe, centre).min(1));
    const double spacing = std::pow(64.0, -1.0 / double(dim));
    EXPECT_LT(nearest.max().item<double>(), 2.0 * spacing) << "a hole in the initial scaffold";
    const auto apart = torch::cdist(centre, centre) + 10 * torch::eye(64);
    EXPECT_GT(apart.min().item<double>(), 0.3 * spacing) << "initial centres collapse";
  }
}

TEST(Scaffold, IsAPartitionOfUnity) {
  for (Index dim : {2, 3}) {
    auto c = small_spec(dim);
    auto model = make(c);
    auto p = model->primitives(torch::randn({kBatch, c.context}, torch::kFloat64));
    const auto queries = torch::rand({kBatch, kQueries, dim}, torch::kFloat64);
    const auto psi = torch::softmax(log_basis(p, queries), -1);
    EXPECT_LT((psi.sum(-1) - 1).abs().max().item<double>(), 1e-12);
    // Equal amplitudes are reproduced exactly, whatever the Gaussians.
    p.amplitude = torch::full_like(p.amplitude, 3.25);
    EXPECT_LT((evaluate_scaffold(p, queries).field - 3.25).abs().max().item<double>(), 1e-12);
  }
}

TEST(Scaffold, MatchesTheDefinitionByHand) {
  Primitives p;
  const auto o = torch::kFloat64;
  p.centre = torch::tensor({{{0.3, 0.4}, {0.7, 0.6}}}, o);
  p.scale = torch::tensor({{{0.1, 0.2}, {0.3, 0.05}}}, o);
  p.rotation = rotation_from_angle(torch::tensor({{0.5, -1.1}}, o));
  p.log_weight = torch::log(torch::tensor({{0.8, 0.3}}, o));
  p.amplitude = torch::tensor({{{2.0}, {-1.0}}}, o);
  const double x[2] = {0.45, 0.5};
  double mass = 0, sum = 0;
  const double mu[2][2] = {{0.3, 0.4}, {0.7, 0.6}}, sigma[2][2] = {{0.1, 0.2}, {0.3, 0.05}}, theta[2] = {0.5, -1.1},
               w[2] = {0.8, 0.3}, a[2] = {2, -1};
  for (int k = 0; k < 2; ++k) {
    const double dx = x[0] - mu[k][0], dy = x[1] - mu[k][1], c = cos(theta[k]), s = sin(theta[k]);
    const double u = (c * dx + s * dy) / sigma[k][0], v = (-s * dx + c * dy) / sigma[k][1];
    const double basis = w[k] * exp(-0.5 * (u * u + v * v));
    mass += basis;
    sum += basis * a[k];
  }
  const auto scaffold = evaluate_scaffold(p, torch::tensor({{{x[0], x[1]}}}, o));
  EXPECT_NEAR(scaffold.field.item<double>(), sum / mass, 1e-12);
  EXPECT_NEAR(scaffold.log_mass.item<double>(), log(mass), 1e-12);
}

TEST(Scaffold, StaysFiniteInFloatWhereEveryGaussianVanishes) {
  auto c = small_spec();
  auto model = make(c, torch::kFloat32);
  auto p = model->primitives(torch::randn({1, c.context}));
  p.scale = torch::full_like(p.scale, 0.001);
  const auto far = torch::tensor({{{40.0f, -25.0f}}});
  const auto s = evaluate_scaffold(p, far);
  EXPECT_TRUE(torch::isfinite(s.field).all().item<bool>());
  EXPECT_TRUE(torch::isfinite(s.log_mass).all().item<bool>());
  EXPECT_LT((torch::softmax(log_basis(p, far), -1).sum() - 1).abs().item<float>(), 1e-6f);
}

TEST(PrimitiveTokens, AnEllipseTurnedByPiIsTheSameToken) {
  Primitives p;
  p.centre = torch::rand({1, 1, 2});
  p.scale = torch::rand({1, 1, 2}) + 0.1;
  p.log_weight = torch::zeros({1, 1});
  p.amplitude = torch::rand({1, 1, 1});
  p.rotation = rotation_from_angle(torch::full({1, 1}, 0.7));
  const auto before = primitive_tokens(p);
  p.rotation = rotation_from_angle(torch::full({1, 1}, 0.7 + 3.14159265358979));
  EXPECT_TRUE(torch::allclose(before, primitive_tokens(p), 1e-5, 1e-6));
}

TEST(Model, QueriesDoNotInfluenceEachOther) {
  const auto c = full_spec(2);
  auto model = make(c);
  const auto o = random_observation(c);
  const auto q = random_queries(c);
  const auto all = model->reconstruct(o, q);
  const Queries one{q.positions.slice(1, 3, 4), q.features.slice(1, 3, 4)};
  EXPECT_LT((model->reconstruct(o, one) - all.slice(1, 3, 4)).abs().max().item<double>(), 1e-12);
}

TEST(Model, AblationsRemoveTheirTensorsAndNothingElse) {
  const auto names = [](const model::FluidSplatSpec& c) {
    std::set<std::string> out;
    for (const auto& p : FluidSplat(c).named_parameters()) out.insert(p.key());
    return out;
  };
  auto c = small_spec();
  const auto full = names(c);
  EXPECT_TRUE(full.contains("decoder.global.weight"));
  c.global_token = false;
  EXPECT_FALSE(names(c).contains("decoder.global.weight"));
  EXPECT_EQ(names(c).size(), full.size() - 2);
  c = small_spec();
  c.attention = false;
  for (const auto& n : names(c))
    EXPECT_TRUE(n.find("attention") == std::string::npos && n.find("norm") == std::string::npos);
  c = small_spec();
  c.output = model::Output::kPrimitive;
  for (const auto& n : names(c)) EXPECT_TRUE(n.rfind("decoder", 0) != 0) << n;
  c = small_spec();
  const auto with_state = parameter_count(FluidSplat(c));
  c.state_features = false;
  EXPECT_EQ(with_state - parameter_count(FluidSplat(c)), c.width * (c.channels + 1));
}

TEST(Model, OutputSwitchesAddUp) {
  auto c = small_spec();
  const auto o = random_observation(c);
  const auto q = random_queries(c);
  auto full = make(c);
  c.output = model::Output::kResidual;
  auto residual = make(c);
  c.output = model::Output::kPrimitive;
  auto primitive = make(c);
  residual->load(full->tensors(), "test");
  for (auto& [name, t] : primitive->tensors()) t.data().copy_(full->tensors().at(name));
  const auto gap = full->reconstruct(o, q) - residual->reconstruct(o, q) - primitive->reconstruct(o, q);
  EXPECT_LT(gap.abs().max().item<double>(), 1e-12);
}

TEST(FluidSplatSpec, RefusesWhatMakesNoSense) {
  auto c = small_spec();
  c.heads = 3;
  EXPECT_THROW(FluidSplat{c}, Error);
  c = small_spec();
  c.scale_min = 0.5;
  EXPECT_THROW(FluidSplat{c}, Error);
  c = small_spec();
  c.dim = 4;
  EXPECT_THROW(FluidSplat{c}, Error);
}

}  // namespace
}  // namespace fluidsplat::learn
