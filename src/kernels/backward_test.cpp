// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/backward.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kernels/every_target.h"
#include "kernels/random_decoder.h"

namespace fluidsplat::kernels {
namespace {

// Random upstream gradients of field, scaffold and log mass.  The loss is their scalar product with the outputs.
struct Upstream {
  Upstream(const FluidSplatSpec& s, Index n, std::uint64_t seed) {
    Random random(seed, 77);
    for (auto* x : {&field, &primitive}) x->resize(n * s.channels);
    log_mass.resize(n);
    for (auto* x : {&field, &primitive, &log_mass})
      for (float& v : *x) v = float(random.normal());
  }
  double loss(const FluidSplatSpec& s, const ReferenceInputs& in) const {
    const auto out = reference_forward(s, in);
    double sum = 0;
    for (Index i = 0; i < std::ssize(field); ++i) sum += field[i] * out.field[i] + primitive[i] * out.primitive[i];
    for (Index i = 0; i < std::ssize(log_mass); ++i) sum += log_mass[i] * out.log_mass[i];
    return sum;
  }
  std::vector<float> field, primitive, log_mass;
};

struct Gradients {
  std::vector<float> parameters;
  std::vector<std::vector<float>> context, primitives, positions;  // per case
};

// All cases share the first one's parameters.
Gradients run(const std::vector<RandomDecoder>& cases, const std::vector<Upstream>& upstream, int threads,
              bool positions = true) {
  const FluidSplatSpec& shape = cases[0].shape;
  PackedDecoder decoder(shape, true);
  decoder.set(cases[0].parameters.data());
  Gradients g;
  g.parameters.resize(decoder.parameters().size());
  std::vector<CaseState> states;
  std::vector<BackwardCase> batch(cases.size());
  g.context.assign(cases.size(), std::vector<float>(shape.context));
  g.primitives.assign(cases.size(), std::vector<float>(shape.primitives * shape.primitive_columns()));
  for (Index i = 0; i < std::ssize(cases); ++i) {
    states.emplace_back(shape, true).fold(decoder, cases[i].case_input());
    g.positions.emplace_back(cases[i].positions.size());
  }
  for (Index i = 0; i < std::ssize(cases); ++i)
    batch[i] = {.state = &states[i],
                .input = cases[i].case_input(),
                .points = cases[i].points(),
                .field_gradient = upstream[i].field.data(),
                .primitive_gradient = upstream[i].primitive.data(),
                .log_mass_gradient = upstream[i].log_mass.data(),
                .context_gradient = g.context[i].data(),
                .primitives_gradient = g.primitives[i].data(),
                .positions_gradient = positions ? g.positions[i].data() : nullptr};
  BackwardWorkspace workspace(shape, cases.size(), threads);
  backward(decoder, batch.data(), batch.size(), g.parameters.data(), workspace);
  return g;
}

// Some neighbouring entries of one of the inputs, and the gradient by them.
struct Entries {
  std::vector<double> ReferenceInputs::*input;
  Index begin, count;
  const float* gradient;  // [count]
};

// Compares a gradient with a central difference of the exact loss along a random direction; the error is measured
// against the gradient's length, which no cancellation along a direction can shrink.
void expect_derivative(const RandomDecoder& at, const Upstream& upstream, const Entries& entries, std::uint64_t seed) {
  if (entries.count == 0) return;
  Random random(seed, entries.begin, entries.begin + entries.count);
  std::vector<double> direction(entries.count);
  double length = 0, along = 0, size = 0;
  for (double& v : direction) v = random.normal(), length += v * v;
  for (double& v : direction) v /= std::sqrt(length);
  const double step = 1e-5;
  ReferenceInputs plus = at.exact, minus = at.exact;
  for (Index i = 0; i < entries.count; ++i) {
    along += direction[i] * entries.gradient[i];
    size += double{entries.gradient[i]} * entries.gradient[i];
    (plus.*entries.input)[entries.begin + i] += step * direction[i];
    (minus.*entries.input)[entries.begin + i] -= step * direction[i];
  }
  const double exact = (upstream.loss(at.shape, plus) - upstream.loss(at.shape, minus)) / (2 * step);
  EXPECT_NEAR(along, exact, 5e-5 * std::sqrt(size) + 2e-4);
}

void check(const FluidSplatSpec& shape, Index queries) {
  const std::vector<RandomDecoder> cases = {RandomDecoder(shape, queries, 21)};
  const std::vector<Upstream> upstream = {Upstream(shape, queries, 4)};
  const auto g = run(cases, upstream, 1);
  const auto expect = [&](const std::string& what, const Entries& entries, std::uint64_t seed) {
    SCOPED_TRACE(what);
    expect_derivative(cases[0], upstream[0], entries, seed);
  };
  const auto all_of = [](std::vector<double> ReferenceInputs::*input, const std::vector<float>& gradient) {
    return Entries{.input = input, .begin = 0, .count = std::ssize(gradient), .gradient = gradient.data()};
  };
  const Parameters layout(shape);
  for (const auto& t : layout.tensors())
    expect(t.name,
           {.input = &ReferenceInputs::parameters,
            .begin = t.offset,
            .count = t.size(),
            .gradient = &g.parameters[t.offset]},
           1);
  if (shape.has_decoder()) expect("context", all_of(&ReferenceInputs::context, g.context[0]), 2);
  // Each column of the primitives has its own map: one direction per primitive would hide a wrong column.
  const Index columns = shape.primitive_columns(), last = (shape.primitives - 1) * columns;
  for (Index i = 0; i < columns; ++i)
    expect(
        "primitive column " + std::to_string(i),
        {.input = &ReferenceInputs::primitives, .begin = last + i, .count = 1, .gradient = &g.primitives[0][last + i]},
        3);
  expect("primitives", all_of(&ReferenceInputs::primitives, g.primitives[0]), 5);
  expect("positions", all_of(&ReferenceInputs::positions, g.positions[0]), 6);
}

TEST(Backward, EqualsDifferencesOfThePlainLoopsOnEveryTarget) {
  for (const auto& [name, shape] : shape_grid()) {
    if (shape.primitives > 97 || shape.width > 100) continue;
    SCOPED_TRACE(name);
    for_every_target([&] { check(shape, 7); });
  }
}

TEST(Backward, EqualsDifferencesForManyKeysAndManyTiles) {
  for (const auto& [name, shape] : shape_grid()) {
    if (shape.primitives <= 97 && shape.width <= 100 && name != "modulated, d = 2") continue;
    SCOPED_TRACE(name);
    const Index queries = shape.primitives > 97 || shape.width > 100 ? 5 : 131;
    for_every_target([&, &shape = shape] { check(shape, queries); });
  }
}

TEST(Backward, HasTheSameBitsForAnyThreadCount) {
  FluidSplatSpec shape;
  shape.channels = 3;
  std::vector<RandomDecoder> cases;
  std::vector<Upstream> upstream;
  for (Index i = 0; i < 3; ++i) {
    cases.emplace_back(shape, 300 + 100 * i, i);
    upstream.emplace_back(shape, 300 + 100 * i, i);
  }
  for_every_target([&] {
    const auto one = run(cases, upstream, 1), two = run(cases, upstream, 2), five = run(cases, upstream, 5);
    EXPECT_EQ(one.parameters, two.parameters);
    EXPECT_EQ(one.parameters, five.parameters);
    EXPECT_EQ(one.context, five.context);
    EXPECT_EQ(one.primitives, five.primitives);
    EXPECT_EQ(one.positions, five.positions);
  });
}

template <class A, class B>
void expect_close(const A& a, const B& b) {
  double worst = 0, size = 0;
  for (Index i = 0; i < std::ssize(a); ++i) {
    worst = std::max<double>(worst, std::abs(a[i] - b[i]));
    size = std::max<double>(size, std::abs(a[i]));
  }
  EXPECT_LE(worst, 1e-5 * size);
}

// The loss of a batch is the sum of its cases' losses, so the weights' gradient is the sum of theirs.
TEST(Backward, ABatchAddsItsCases) {
  const FluidSplatSpec shape;
  std::vector<RandomDecoder> cases;
  std::vector<Upstream> upstream;
  for (Index i = 0; i < 20; ++i) {
    cases.emplace_back(shape, 30 + i, i);
    upstream.emplace_back(shape, 30 + i, i);
    cases.back().parameters = cases[0].parameters;
  }
  const auto together = run(cases, upstream, 2);
  std::vector<double> sum(together.parameters.size());
  for (Index i = 0; i < std::ssize(cases); ++i) {
    const auto alone = run({cases[i]}, {upstream[i]}, 1, false);
    for (Index j = 0; j < std::ssize(sum); ++j) sum[j] += alone.parameters[j];
    expect_close(alone.context[0], together.context[i]);
    expect_close(alone.primitives[0], together.primitives[i]);
  }
  expect_close(sum, together.parameters);
}

void check_jacobian(const FluidSplatSpec& shape) {
  const Index n = 9, c = shape.channels, d = shape.dim;
  const RandomDecoder random(shape, n, 8);
  PackedDecoder decoder(shape, true);
  decoder.set(random.parameters.data());
  CaseState state(shape, true);
  state.fold(decoder, random.case_input());
  std::vector<float> field(n * c), jacobian(n * c * d);
  const ForwardCase item{.state = &state, .points = random.points(), .out = {.field = field.data()}};
  float* jacobians[] = {jacobian.data()};
  forward_with_jacobian(decoder, &item, jacobians, 1, JacobianWorkspace(shape, 1));
  for (Index axis = 0; axis < d; ++axis) {
    ReferenceInputs plus = random.exact, minus = random.exact;
    const double step = 1e-5;
    for (Index i = axis; i < n * d; i += d) plus.positions[i] += step, minus.positions[i] -= step;
    const auto high = reference_forward(shape, plus).field, low = reference_forward(shape, minus).field;
    for (Index i = 0; i < n * c; ++i) {
      const double exact = (high[i] - low[i]) / (2 * step);
      EXPECT_NEAR(jacobian[i * d + axis], exact, 1e-4 * (10 + std::abs(exact)));
    }
  }
}

TEST(Jacobian, EqualsDifferencesOfTheFieldOnEveryTarget) {
  for (const auto& [name, shape] : shape_grid()) {
    if (shape.primitives > 97 || shape.width > 100) continue;
    SCOPED_TRACE(name);
    for_every_target([&, &shape = shape] { check_jacobian(shape); });
  }
}

}  // namespace
}  // namespace fluidsplat::kernels
