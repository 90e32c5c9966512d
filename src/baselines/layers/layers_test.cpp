// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The layers that baselines are made of, each against a formula or a property.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "baselines/layers/attention.h"
#include "baselines/layers/grid_convolution.h"
#include "baselines/layers/latent_grid.h"
#include "baselines/layers/radial_embedding.h"
#include "baselines/layers/sine_positions.h"
#include "baselines/layers/spectral_convolution.h"
#include "baselines/layers/u_net.h"

namespace fluidsplat::baselines {
namespace {

double largest(const torch::Tensor& t) {
  return t.abs().max().item<double>();
}

class Layers : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(1); }
  static torch::Tensor normal(std::vector<Index> shape) { return torch::randn(shape, torch::kFloat64); }
};

TEST_F(Layers, SinePositionsAreWavesUpToTheFinestOfTheGrid) {
  const SinePositions encode(3, {8, 20});
  EXPECT_EQ(encode.width(), 12);
  const auto at = encode(torch::tensor({{0.6, 0.9}}, torch::kFloat64))[0];
  const double x = 0.2, y = 0.8, pi = std::numbers::pi;
  const double angles[] = {pi * x, pi * 2.5 * x, pi * 4 * x, pi * y, pi * 5.5 * y, pi * 10 * y};
  for (Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(at[i].item<double>(), std::sin(angles[i]), 1e-12);
    EXPECT_NEAR(at[6 + i].item<double>(), std::cos(angles[i]), 1e-12);
  }
}

// Written out for one head and one query.
TEST_F(Layers, AttentionIsTheSoftmaxWeightedMeanOfValues) {
  Attention attention(2, 3, 1);
  attention->to(torch::kFloat64);
  const auto p = attention->named_parameters();
  const auto linear = [&](const std::string& name, const torch::Tensor& x) {
    return torch::matmul(x, p[name + ".weight"].t()) + p[name + ".bias"];
  };
  const auto query = normal({1, 1, 2}), tokens = normal({1, 4, 3});
  const auto present = torch::tensor({{1.0, 0.0, 1.0, 1.0}}, torch::kFloat64);
  const auto q = linear("q", query[0][0]);
  torch::Tensor sum = torch::zeros({2}, torch::kFloat64);
  double total = 0;
  for (const Index t : {0, 2, 3}) {
    const double share = std::exp(q.dot(linear("k", tokens[0][t])).item<double>() / std::sqrt(2.0));
    sum = sum + share * linear("v", tokens[0][t]);
    total += share;
  }
  EXPECT_LT(largest(attention(query, tokens, present)[0][0] - linear("out", sum / total)), 1e-12);
}

TEST_F(Layers, HeadsOfAttentionAreApart) {
  Attention attention(4, 3, 2);
  attention->to(torch::kFloat64);
  const auto tokens = normal({1, 5, 3}), queries = normal({1, 2, 4});
  torch::NoGradGuard no_grad;
  auto p = attention->named_parameters();
  p["out.weight"].copy_(torch::eye(4));
  const auto before = attention(queries, tokens, torch::Tensor());
  p["v.bias"].slice(0, 0, 2).add_(1);
  const auto after = attention(queries, tokens, torch::Tensor());
  EXPECT_NEAR(largest(after.slice(2, 0, 2) - before.slice(2, 0, 2) - 1), 0, 1e-12);
  EXPECT_NEAR(largest(after.slice(2, 2, 4) - before.slice(2, 2, 4)), 0, 1e-12);
}

TEST_F(Layers, QueriesForAllCasesAreThoseOfEach) {
  CrossLayer layer(4, 3, 2);
  layer->to(torch::kFloat64);
  const auto shared = normal({1, 6, 4}), tokens = normal({3, 5, 3}), all = torch::ones({3, 5}, torch::kFloat64);
  EXPECT_LT(largest(layer(shared, tokens, all) - layer(shared.expand({3, 6, 4}).contiguous(), tokens, all)), 1e-12);
}

TEST_F(Layers, AGridIsAsFineAlongEveryAxis) {
  const LatentGrid grid({{0, 10}, {4, 12}}, 8);
  EXPECT_EQ(grid.shape(), (std::vector<Index>{4, 8})) << "rows, columns";
  const auto places = grid.places();
  EXPECT_EQ(places.sizes(), (std::vector<Index>{32, 2}));
  EXPECT_NEAR(places[1][0].item<double>(), 1.0 / 7, 1e-12) << "the first coordinate runs fastest";
  EXPECT_NEAR(places[31][1].item<double>(), 1, 1e-12);
  EXPECT_NEAR(grid.scaled(places)[31][1].item<double>(), 0.5, 1e-12) << "half as high as wide";
  EXPECT_EQ(LatentGrid({{0, 0, 0}, {1, 0.001, 1}}, 8).shape(), (std::vector<Index>{8, 2, 8})) << "never flat";
}

// Linear interpolation gives linear functions back, in the plane and in space, and does not mix up the axes.
TEST_F(Layers, InterpolationIsExactForLinearFunctions) {
  for (const Index d : {2, 3}) {
    model::Box box{std::vector<double>(d, 0.0), {3, 2, 1}};
    box.high.resize(d);
    const LatentGrid grid(box, 9);
    const auto slopes = normal({d, 2});
    std::vector<Index> shape = {1, 2};
    shape.insert(shape.end(), grid.shape().begin(), grid.shape().end());
    const auto values = torch::matmul(grid.places(), slopes).t().reshape(shape);
    const auto at = torch::rand({1, 20, d}, torch::kFloat64);
    EXPECT_LT(largest(interpolate_at(values, at) - torch::matmul(at, slopes)), 1e-12) << d;
    EXPECT_LT(largest(interpolate_at(resize(values, std::vector<Index>(d, 7)), at) - torch::matmul(at, slopes)), 1e-12)
        << d;
  }
}

// A product in Fourier space is a periodic convolution: shifting what goes in shifts what comes out.
TEST_F(Layers, SpectralConvolutionCommutesWithShifts) {
  for (const std::vector<Index>& shape : {std::vector<Index>{8, 10}, {6, 7, 8}, {4, 9}}) {
    SpectralConvolution layer(3, 3, shape);
    layer->to(torch::kFloat64);
    std::vector<Index> sizes = {2, 3}, shifts, axes;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      sizes.push_back(shape[a]);
      shifts.push_back(1 + Index(a));
      axes.push_back(2 + Index(a));
    }
    const auto x = normal(sizes), y = layer(x);
    ASSERT_EQ(y.sizes(), x.sizes());
    EXPECT_GT(largest(y), 1e-3);
    EXPECT_LT(largest(layer(x.roll(shifts, axes)) - y.roll(shifts, axes)), 1e-12);
  }
}

// A wave that is kept comes back times its own matrix, of both signs along the first axis; others vanish.
TEST_F(Layers, SpectralConvolutionScalesTheWavesItKeeps) {
  const Index rows = 8, columns = 12, modes = 3;
  SpectralConvolution layer(1, modes, std::vector<Index>{rows, columns});
  layer->to(torch::kFloat64);
  EXPECT_EQ(kept_modes(modes, {rows, columns}), 18);
  const auto parameters = layer->named_parameters();
  const auto wave = [&](Index k, Index l, double phase) {
    const auto r = torch::arange(rows, torch::kFloat64).unsqueeze(1), c = torch::arange(columns, torch::kFloat64);
    const double turn = 2 * std::numbers::pi;
    return torch::cos(turn * (double(k) / double(rows) * r + double(l) / double(columns) * c) + phase)
        .view({1, 1, rows, columns});
  };
  for (const Index k : {0, 2, -1, -3}) {
    const Index mode = (k >= 0 ? k : 2 * modes + k) * modes + 2;
    const double re = parameters["real"][mode].item<double>(), im = parameters["imaginary"][mode].item<double>();
    const auto expected = std::hypot(re, im) * wave(k, 2, 0.4 + std::atan2(im, re));
    EXPECT_LT(largest(layer(wave(k, 2, 0.4)) - expected), 1e-12) << k;
  }
  EXPECT_LT(largest(layer(wave(3, 1, 0.4))), 1e-12);
  EXPECT_LT(largest(layer(wave(1, 3, 0.4))), 1e-12);
}

TEST_F(Layers, ConvolutionsKeepTheShapeInThePlaneAndInSpace) {
  for (const std::vector<Index>& shape : {std::vector<Index>{5, 7}, {5, 3, 7}}) {
    std::vector<Index> in = {2, 3}, out = {2, 8};
    in.insert(in.end(), shape.begin(), shape.end());
    out.insert(out.end(), shape.begin(), shape.end());
    GridConvolution convolution(std::ssize(shape), 3, 8, 3);
    UNet network(std::ssize(shape), 3, 8, 3);
    EXPECT_EQ(convolution(torch::randn(in)).sizes(), out);
    EXPECT_EQ(network(torch::randn(in)).sizes(), out) << "odd sides must come back as they were";
  }
}

// With a short length a node has the token next to it in space; with a long one, the mean.
TEST_F(Layers, TokensAreSpreadByTheirDistanceInSpace) {
  const LatentGrid grid({{0, 0}, {4, 1}}, 16);
  RadialEmbedding embedding(grid, 2);
  embedding->to(torch::kFloat64);
  {
    torch::NoGradGuard no_grad;
    embedding->named_parameters()["log_length"].copy_(torch::tensor({std::log(1e-3), std::log(1e3)}));
  }
  // In the unit box the second is nearer to the first node; in space, where the box is four times as wide, the first.
  const auto positions = torch::tensor({{{0.0, 0.8}, {0.6, 0.0}, {0.0, 0.0}}}, torch::kFloat64);
  const auto tokens = torch::tensor({{{1.0, 1.0}, {5.0, 5.0}, {100.0, 100.0}}}, torch::kFloat64);
  const auto present = torch::tensor({{1.0, 1.0, 0.0}}, torch::kFloat64);
  const auto out = embedding(positions, tokens, present);
  ASSERT_EQ(out.sizes(), (std::vector<Index>{1, 2, 4, 16}));
  EXPECT_NEAR(out[0][0][0][0].item<double>(), 1, 1e-9);
  EXPECT_NEAR(out[0][0][3][15].item<double>(), 5, 1e-9);
  EXPECT_LT(largest(out[0][1] - 3), 1e-3);
}

}  // namespace
}  // namespace fluidsplat::baselines
