// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/capacity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"

namespace fluidsplat::theory {
namespace {

// The paper's concrete values, constants set to one.
TEST(Capacity, GivesThePapersTable) {
  struct Row {
    int dimension;
    double smoothness;
    std::vector<double> samples;
    std::vector<long> counts;
  };
  for (const Row& row : {Row{2, 1, {4, 8, 16, 32}, {2, 3, 4, 6}}, Row{2, 2, {4, 8, 16, 32}, {2, 2, 3, 3}},
                         Row{2, 3, {4, 8, 16, 32}, {1, 2, 2, 2}}, Row{3, 1, {4, 8, 32, 128}, {2, 3, 8, 18}},
                         Row{3, 2, {4, 8, 32, 128}, {2, 2, 4, 8}}, Row{3, 3, {4, 8, 32, 128}, {2, 2, 3, 5}}})
    for (std::size_t i = 0; i < row.samples.size(); ++i)
      EXPECT_EQ(std::lround(capacity(row.samples[i], 1, row.smoothness, row.dimension)), row.counts[i])
          << "d " << row.dimension << " s " << row.smoothness << " N " << row.samples[i];
}

TEST(Capacity, HasTheDimensionSpecificForms) {
  const double n = 37, sigma = 0.3, r = n / (sigma * sigma);
  for (double s : {0.5, 1.0, 2.5}) {
    EXPECT_NEAR(capacity(n, sigma, s, 2), std::pow(r, 1 / (s + 1)), 1e-9);
    EXPECT_NEAR(capacity(n, sigma, s, 3), std::pow(r, 3 / (2 * s + 3)), 1e-9);
    EXPECT_NEAR(optimal_risk(n, sigma, s, 2), std::pow(1 / r, s / (s + 1)), 1e-9);
    EXPECT_NEAR(optimal_risk(n, sigma, s, 3), std::pow(1 / r, 2 * s / (2 * s + 3)), 1e-9);
  }
}

// At K* bias and variance are equal in scale, and both equal the optimised risk, for any norm.
TEST(Capacity, BalancesBiasAndVariance) {
  for (int d : {1, 2, 3}) {
    const double n = 50, sigma = 0.2, s = 1.7, norm = 3;
    const double k = capacity(n, sigma, s, d, norm);
    EXPECT_NEAR(std::pow(k, -2 * s / d) * norm * norm, optimal_risk(n, sigma, s, d, norm), 1e-9);
    EXPECT_NEAR(sigma * sigma * k / n, optimal_risk(n, sigma, s, d, norm), 1e-9);
  }
}

TEST(Capacity, BalanceIsTheMinimum) {
  const auto objective = [](double k) { return 2.0 * std::pow(k, -1.4) + 0.003 * k; };
  const double k = balance(2.0, 1.4, 0.003);
  EXPECT_LT(objective(k), objective(1.001 * k));
  EXPECT_LT(objective(k), objective(0.999 * k));
}

TEST(Capacity, FollowsTheFlowCorollary) {
  const FlowCapacity flow = flow_capacity(100, 0.5, 3, 2);
  EXPECT_NEAR(flow.velocity, capacity(100, 0.5, 3, 2), 1e-12);
  ASSERT_TRUE(flow.pressure.has_value());
  EXPECT_NEAR(*flow.pressure, capacity(100, 0.5, 2, 2), 1e-12);
  EXPECT_GT(*flow.pressure, flow.velocity);
  EXPECT_FALSE(flow_capacity(100, 0.5, 2, 2).pressure.has_value());
}

TEST(Capacity, CornersAndBoundaryLayersLimitIt) {
  EXPECT_NEAR(corner_smoothness(2 * std::numbers::pi), 1.5, 1e-12);
  EXPECT_NEAR(corner_smoothness(std::numbers::pi), 2, 1e-12);
  EXPECT_NEAR(boundary_layer_primitives(1e4, 2), 100, 1e-9);
  EXPECT_NEAR(boundary_layer_primitives(1e4, 3), 1e4, 1e-6);
}

TEST(Capacity, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(capacity(0, 1, 1, 2), Error);
  EXPECT_THROW(capacity(1, 0, 1, 2), Error);
  EXPECT_THROW(capacity(1, 1, -1, 2), Error);
  EXPECT_THROW(flow_capacity(1, 1, 1, 2), Error);
  EXPECT_THROW(corner_smoothness(7), Error);
  EXPECT_THROW(balance(0, 1, 1), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
