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
    batch[i] = {&states[i],
                cases[i].case_input(),
                cases[i].points(),
                upstream[i].field.data(),
                upstream[i].primitive.data(),
                upstream[i].log_mass.data(),
                g.context[i].data(),
                g.primitives[i].data(),
                positions ? g.positions[i].data() : nullptr};
  BackwardWorkspace workspace(shape, cases.size(), threads);
  backward(decoder, batch.data(), batch.size(), g.parameters.data(), workspace);
  return g;
}

// Compares the gradient of entries [begin, end) of an input with a central difference of the exact loss along a random
// direction; the error is measured against the gradient's length, which no cancellation along a direction can shrink.
void expect_derivative(const FluidSplatSpec& shape, const Upstream& upstream, const ReferenceInputs& at,
                       std::vector<double> ReferenceInputs::*input, Index begin, Index end, const float* gradient,
                       const std::string& what, std::uint64_t seed) {
  if (begin == end) return;
  Random random(seed, begin, end);
  std::vector<double> direction(end - begin);
  double length = 0, along = 0, size = 0;
  for (double& v : direction) v = random.normal(), length += v * v;
  for (double& v : direction) v /= std::sqrt(length);
  for (Index i = begin; i < end; ++i) {
    along += direction[i - begin] * gradient[i - begin];
    size += double{gradient[i - begin]} * gradient[i - begin];
  }
  const double step = 1e-5;
  ReferenceInputs plus = at, minus = at;
  for (Index i = begin; i < end; ++i) {
    (plus.*input)[i] += step * direction[i - begin];
    (minus.*input)[i] -= step * direction[i - begin];
  }
  const double exact = (upstream.loss(shape, plus) - upstream.loss(shape, minus)) / (2 * step);
  EXPECT_NEAR(along, exact, 5e-5 * std::sqrt(size) + 2e-4) << what;
}

void check(const FluidSplatSpec& shape, Index queries) {
  std::vector<RandomDecoder> cases;
  cases.emplace_back(shape, queries, 21);
  const std::vector<Upstream> upstream = {Upstream(shape, queries, 4)};
  const auto g = run(cases, upstream, 1);
  const auto& in = cases[0].exact;
  const Parameters layout(shape);
  for (const auto& t : layout.tensors())
    expect_derivative(shape, upstream[0], in, &ReferenceInputs::parameters, t.offset, t.offset + t.size(),
                      &g.parameters[t.offset], t.name, 1);
  if (shape.has_decoder())
    expect_derivative(shape, upstream[0], in, &ReferenceInputs::context, 0, shape.context, g.context[0].data(),
                      "context", 2);
  // Each column of the primitives has its own map: one direction per primitive would hide a wrong column.
  const Index columns = shape.primitive_columns(), last = shape.primitives - 1;
  for (Index i = 0; i < columns; ++i)
    expect_derivative(shape, upstream[0], in, &ReferenceInputs::primitives, last * columns + i, last * columns + i + 1,
                      &g.primitives[0][last * columns + i], "primitive column " + std::to_string(i), 3);
  expect_derivative(shape, upstream[0], in, &ReferenceInputs::primitives, 0, g.primitives[0].size(),
                    g.primitives[0].data(), "primitives", 5);
  expect_derivative(shape, upstream[0], in, &ReferenceInputs::positions, 0, g.positions[0].size(),
                    g.positions[0].data(), "positions", 6);
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
  double worst = 0, size = 0;
  for (Index i = 0; i < std::ssize(cases); ++i) {
    const auto alone = run({cases[i]}, {upstream[i]}, 1, false);
    for (Index j = 0; j < std::ssize(sum); ++j) sum[j] += alone.parameters[j];
    for (Index j = 0; j < std::ssize(alone.context[0]); ++j)
      EXPECT_NEAR(alone.context[0][j], together.context[i][j], 1e-3);
  }
  for (Index j = 0; j < std::ssize(sum); ++j) {
    worst = std::max(worst, std::abs(sum[j] - together.parameters[j]));
    size = std::max(size, std::abs(sum[j]));
  }
  EXPECT_LE(worst, 1e-5 * size);
}

void check_jacobian(const FluidSplatSpec& shape) {
  const Index n = 9, c = shape.channels, d = shape.dim;
  const RandomDecoder random(shape, n, 8);
  PackedDecoder decoder(shape, true);
  decoder.set(random.parameters.data());
  CaseState state(shape, true);
  state.fold(decoder, random.case_input());
  std::vector<float> field(n * c), jacobian(n * c * d);
  const ForwardCase item{&state, random.points(), {field.data(), nullptr, nullptr}};
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
