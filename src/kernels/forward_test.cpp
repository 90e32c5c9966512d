// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kernels/every_target.h"
#include "kernels/random_decoder.h"

namespace fluidsplat::kernels {
namespace {

struct Result {
  std::vector<float> field, primitive, log_mass;
};

Result run(const RandomDecoder& random, int threads, bool cached) {
  PackedDecoder decoder(random.shape, false);
  decoder.set(random.parameters.data());
  CaseState state(random.shape, false);
  state.fold(decoder, random.case_input());
  const Index n = random.exact.count, c = random.shape.channels;
  Result result{std::vector<float>(n * c), std::vector<float>(n * c), std::vector<float>(n)};
  ForwardCase item{
      .state = &state,
      .points = random.points(),
      .out = {.field = result.field.data(), .primitive = result.primitive.data(), .log_mass = result.log_mass.data()}};
  Buffer cache(query_cache_size(random.shape, n));
  if (cached) {
    cache_query_inputs(random.shape, item.points, cache.data());
    item.points = {.count = n, .cached = cache.data()};
  }
  forward(decoder, &item, 1, ForwardWorkspace(random.shape, threads));
  return result;
}

void expect_near(const std::vector<float>& ours, const std::vector<double>& exact, double tolerance) {
  ASSERT_EQ(ours.size(), exact.size());
  double worst = 0, size = 1;
  for (Index i = 0; i < std::ssize(ours); ++i) {
    worst = std::max(worst, std::isfinite(ours[i]) ? std::abs(ours[i] - exact[i]) : INFINITY);
    size = std::max(size, std::abs(exact[i]));
  }
  EXPECT_LE(worst / size, tolerance);
}

// What the tests of this folder run on: plain code without intrinsics, and the best this processor has.
TEST(Targets, IncludePlainCodeAndTheBestOfThisProcessor) {
  std::vector<Index> seen;
  for_every_target([&] { seen.push_back(hwy::SupportedTargets()); });
  EXPECT_THAT(seen, testing::Contains(testing::AnyOf(HWY_EMU128, HWY_SCALAR)));
  const Index usable = hwy::SupportedTargets() & HWY_TARGETS;
  EXPECT_THAT(seen, testing::Contains(usable & -usable));  // the lowest bit is the best target
}

TEST(Forward, EqualsThePlainDoublePrecisionLoops) {
  for (const auto& [name, shape] : shape_grid())
    for (Index queries : {1, 7, 131, 1000}) {
      if (queries == 1000 && !name.starts_with("K = ")) continue;  // the plain loops are slow
      SCOPED_TRACE(name + ", queries = " + std::to_string(queries));
      const RandomDecoder random(shape, queries, 11);
      const auto exact = reference_forward(shape, random.exact);
      for_every_target([&] {
        const auto ours = run(random, 1, false);
        expect_near(ours.field, exact.field, 2e-5);
        expect_near(ours.primitive, exact.primitive, 5e-6);
        expect_near(ours.log_mass, exact.log_mass, 5e-6);
      });
    }
}

TEST(Forward, GivesTheHiddenLayerThatTheFieldIsLinearIn) {
  FluidSplatSpec shape;
  const Index n = 131, c = shape.channels, h = shape.width;
  const RandomDecoder random(shape, n, 3);
  for_every_target([&] {
    PackedDecoder decoder(shape, false);
    decoder.set(random.parameters.data());
    CaseState state(shape, false);
    state.fold(decoder, random.case_input());
    std::vector<float> field(n * c), primitive(n * c), hidden(n * h);
    const ForwardCase item{.state = &state,
                           .points = random.points(),
                           .out = {.field = field.data(), .primitive = primitive.data(), .hidden = hidden.data()}};
    forward(decoder, &item, 1, ForwardWorkspace(shape, 1));
    const auto& last = decoder.parameters().mlp[shape.layers];
    std::vector<double> exact;
    for (Index i = 0; i < n * c; ++i) {
      double sum = primitive[i] + decoder.at(last.bias)[i % c];
      for (Index k = 0; k < h; ++k) sum += decoder.at(last.weight)[i % c * h + k] * double(hidden[i / c * h + k]);
      exact.push_back(sum);
    }
    expect_near(field, exact, 2e-5);
  });
}

// Along any number of directions, with the hidden layer or without it; of two layers and of three, since every second
// one has the memory of the one before.
class LayersTest : public testing::TestWithParam<Index> {};

TEST_P(LayersTest, TheLastOneIsMeasured) {
  FluidSplatSpec shape;
  shape.layers = GetParam();
  const Index n = 131, h = shape.width;
  const RandomDecoder random(shape, n, 3);
  for (Index count : {1, 7, 32}) {
    Random draw(4);
    std::vector<float> rows(count * (h + 1));
    for (float& r : rows) r = float(draw.normal());
    for_every_target([&] {
      PackedDecoder decoder(shape, false);
      decoder.set(random.parameters.data());
      CaseState state(shape, false);
      state.fold(decoder, random.case_input());
      const LayerDirections directions(rows.data(), count, h);
      std::vector<float> hidden(n * h), length(n), alone(n);
      ForwardCase item{.state = &state,
                       .points = random.points(),
                       .out = {.hidden = hidden.data(), .length = length.data(), .directions = &directions}};
      forward(decoder, &item, 1, ForwardWorkspace(shape, 2));
      item.out = {.length = alone.data(), .directions = &directions};
      forward(decoder, &item, 1, ForwardWorkspace(shape, 1));
      EXPECT_EQ(length, alone);
      std::vector<double> exact;
      for (Index i = 0; i < n; ++i) {
        double squares = 0;
        for (Index r = 0; r < count; ++r) {
          double sum = rows[r * (h + 1) + h];
          for (Index k = 0; k < h; ++k) sum += double(rows[r * (h + 1) + k]) * double(hidden[i * h + k]);
          squares += sum * sum;
        }
        exact.push_back(std::sqrt(squares / double(count)));
      }
      expect_near(length, exact, 2e-5);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Forward, LayersTest, testing::Values(2, 3));

// 1000 queries make a dozen tiles; the last one is not full.
TEST(Forward, HasTheSameBitsForAnyThreadCountAndWithOrWithoutACache) {
  FluidSplatSpec shape;
  shape.features = 2;
  const RandomDecoder random(shape, 1000, 5);
  for_every_target([&] {
    const auto one = run(random, 1, false), three = run(random, 3, false), cached = run(random, 2, true);
    EXPECT_EQ(one.field, three.field);
    EXPECT_EQ(one.field, cached.field);
    EXPECT_EQ(one.log_mass, cached.log_mass);
  });
}

// Cases of several tiles, of less than one and of no query at all.
TEST(Forward, ABatchGivesEachCaseItsOwnResult) {
  const FluidSplatSpec shape;
  std::vector<RandomDecoder> cases;
  for (Index queries : {100, 0, 257, 3}) cases.emplace_back(shape, queries, 1 + queries);
  PackedDecoder decoder(shape, false);
  decoder.set(cases[0].parameters.data());
  std::vector<CaseState> states;
  std::vector<std::vector<float>> together, alone;
  std::vector<ForwardCase> batch;
  for (const auto& c : cases) {
    states.emplace_back(shape, false).fold(decoder, c.case_input());
    together.emplace_back(c.exact.count);
    alone.emplace_back(c.exact.count);
  }
  const ForwardWorkspace workspace(shape, 2);
  for (Index i = 0; i < std::ssize(cases); ++i) {
    batch.push_back({.state = &states[i], .points = cases[i].points(), .out = {.field = together[i].data()}});
    const ForwardCase single{.state = &states[i], .points = cases[i].points(), .out = {.field = alone[i].data()}};
    forward(decoder, &single, 1, workspace);
  }
  forward(decoder, batch.data(), std::ssize(batch), workspace);
  EXPECT_EQ(together, alone);
  // The cases share no number, and the results are not what the memory held before.
  EXPECT_NE(alone[0][0], alone[2][0]);
  EXPECT_NE(alone[3][2], 0.0f);
}

// Far from every centre all densities underflow, and none of them may be divided by their sum: mean amplitude, mass and
// field must still be those of the nearest primitives.
TEST(Forward, IsExactFarFromEveryPrimitive) {
  for (Index dim : {2, 3}) {
    SCOPED_TRACE(dim);
    FluidSplatSpec shape;
    shape.dim = dim;
    RandomDecoder random(shape, 8, 3);
    for (Index i = 0; i < std::ssize(random.positions); ++i) {
      random.positions[i] = 3.0f + 5.3f * float(i);
      random.exact.positions[i] = random.positions[i];
    }
    const auto exact = reference_forward(shape, random.exact);
    for_every_target([&] {
      const auto ours = run(random, 1, false);
      expect_near(ours.primitive, exact.primitive, 1e-5);
      expect_near(ours.field, exact.field, 2e-5);
      expect_near(ours.log_mass, exact.log_mass, 5e-6);
    });
  }
}

// allocation_test.cpp shows that forward() needs no memory besides.
TEST(Forward, AThreadsWorkspaceIsSmall) {
  const FluidSplatSpec shape;
  EXPECT_EQ(ForwardWorkspace(shape, 2).bytes(), 2 * ForwardWorkspace(shape, 1).bytes());
  EXPECT_LT(ForwardWorkspace(shape, 1).bytes(), Index{1} << 20);
}

}  // namespace
}  // namespace fluidsplat::kernels
