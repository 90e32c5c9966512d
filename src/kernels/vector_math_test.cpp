// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/every_target.h"

namespace fluidsplat::kernels {
namespace {

// Points of [low, high]: evenly spaced, plus geometrically spaced ones that reach down to tiny arguments.
std::vector<float> samples(double low, double high) {
  std::vector<float> x;
  const int n = 200001;
  for (int i = 0; i < n; ++i) x.push_back(float(low + (high - low) * i / (n - 1)));
  for (double size = 1e-30; size < std::max(-low, high); size *= 1.01) {
    if (size <= high) x.push_back(float(size));
    if (-size >= low) x.push_back(float(-size));
  }
  return x;
}

// The largest |ours - exact| / scale(x, exact) over the range.
double worst(Elementary function, double low, double high, const std::function<double(double)>& exact,
             const std::function<double(double, double)>& scale) {
  const auto x = samples(low, high);
  std::vector<float> y(x.size());
  apply(function, x.data(), y.data(), x.size());
  double worst = 0.0;
  for (Index i = 0; i < std::ssize(x); ++i) {
    const double truth = exact(x[i]);
    const double error = std::abs(y[i] - truth) / scale(x[i], truth);
    worst = std::isfinite(y[i]) ? std::max(worst, error) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

double relative(double, double truth) {
  return std::max(std::abs(truth), 1e-37);
}
double absolute(double, double) {
  return 1.0;
}
double normal_distribution(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

TEST(VectorMath, EveryFunctionKeepsItsStatedErrorOverItsWholeRange) {
  for_every_target([] {
    EXPECT_LE(worst(
                  Elementary::kExp, -87.3, 88.3, [](double x) { return std::exp(x); }, relative),
              2e-7);
    EXPECT_LE(worst(
                  Elementary::kExp2OfNegative, -126, 0, [](double x) { return std::exp2(x); }, relative),
              2e-7);
    EXPECT_LE(worst(
                  Elementary::kErf, -30, 30, [](double x) { return std::erf(x); }, relative),
              4e-7);
    EXPECT_LE(worst(
                  Elementary::kGelu, -50, 50, [](double x) { return x * normal_distribution(x); },
                  [](double x, double) { return std::max(1.0, std::abs(x)); }),
              2.5e-7);
    EXPECT_LE(worst(
                  Elementary::kGeluDerivative, -50, 50,
                  [](double x) {
                    return normal_distribution(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
                  },
                  absolute),
              4e-7);
    EXPECT_LE(worst(
                  Elementary::kTanh, -40, 40, [](double x) { return std::tanh(x); }, relative),
              4e-7);
    EXPECT_LE(worst(
                  Elementary::kSigmoid, -80, 80, [](double x) { return 1 / (1 + std::exp(-x)); }, relative),
              5e-7);
    EXPECT_LE(worst(
                  Elementary::kLog1p, 0, 1e6, [](double x) { return std::log1p(x); }, relative),
              4e-7);
    EXPECT_LE(worst(
                  Elementary::kSin, -20000, 20000, [](double x) { return std::sin(x); }, absolute),
              3e-7);
    EXPECT_LE(worst(
                  Elementary::kCos, -20000, 20000, [](double x) { return std::cos(x); }, absolute),
              3e-7);
    const auto sin_pi = [](double x) { return std::sin(std::numbers::pi * std::fmod(x, 2.0)); };
    const auto cos_pi = [](double x) { return std::cos(std::numbers::pi * std::fmod(x, 2.0)); };
    EXPECT_LE(worst(Elementary::kSinPi, -2e6, 2e6, sin_pi, absolute), 2e-7);
    EXPECT_LE(worst(Elementary::kCosPi, -2e6, 2e6, cos_pi, absolute), 2e-7);
    EXPECT_LE(worst(Elementary::kSinPi, -4, 4, sin_pi, absolute), 2e-7);
    EXPECT_LE(worst(Elementary::kCosPi, -4, 4, cos_pi, absolute), 2e-7);
  });
}

TEST(VectorMath, SaturatesInsteadOfOverflowing) {
  for_every_target([] {
    const std::vector<float> x = {-1e30f, -200.0f, 200.0f, 1e30f};
    std::vector<float> y(4);
    apply(Elementary::kExp, x.data(), y.data(), 4);
    for (float v : y) EXPECT_TRUE(std::isnormal(v));
    EXPECT_LT(y[0], 1.3e-38f);
    EXPECT_GT(y[3], 2e38f);
    apply(Elementary::kExp2OfNegative, x.data(), y.data(), 2);
    EXPECT_EQ(y[0], 0x1p-126f);
    EXPECT_EQ(y[1], 0x1p-126f);
    apply(Elementary::kGelu, x.data(), y.data(), 4);
    EXPECT_NEAR(y[2], 200.0f, 2e-5f);
    EXPECT_NEAR(y[1], 0.0f, 2e-5f);
    apply(Elementary::kSigmoid, x.data(), y.data(), 4);
    EXPECT_NEAR(y[0], 0.0f, 1e-37f);
    EXPECT_EQ(y[3], 1.0f);
  });
}

// A vector's lanes and the scalar tail must agree: a result never depends on where a query sits in its tile.
TEST(VectorMath, TailsEqualFullVectors) {
  for_every_target([] {
    std::vector<float> x(67), whole(67), one(67);
    for (int i = 0; i < 67; ++i) x[i] = 0.37f * float(i - 33);
    for (int f = 0; f <= int(Elementary::kCosPi); ++f) {
      const auto function = static_cast<Elementary>(f);
      if (function == Elementary::kLog1p) continue;
      apply(function, x.data(), whole.data(), x.size());
      for (int i = 0; i < 67; ++i) apply(function, &x[i], &one[i], 1);
      EXPECT_EQ(whole, one) << "function " << f;
    }
  });
}

}  // namespace
}  // namespace fluidsplat::kernels
