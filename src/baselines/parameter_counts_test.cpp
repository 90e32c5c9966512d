// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// How large each neural baseline is, beside the paper's table.  docs/baselines.md says where the numbers differ.
#include <gtest/gtest.h>

#include "baselines/model_checks.h"
#include "baselines/published_sizes.h"
#include "baselines/register.h"

namespace fluidsplat::baselines {
namespace {

const DataSizes kCylinder{2, 1, 0, 0, {191, 111}, {112, 192}};
const DataSizes kAirfoils{2, 3, 6, 2, {6, 3}};
const DataSizes kCavity{3, 4, 1, 1, {2, 2, 2}, {64, 64, 64}};

Index count(const std::string& kind, Benchmark benchmark) {
  register_baselines();
  const bool looks_at_wall = benchmark == Benchmark::kAirfoils;
  const auto& sizes = benchmark == Benchmark::kCylinder ? kCylinder : looks_at_wall ? kAirfoils : kCavity;
  return learn::parameter_count(*make_model(*published_spec(kind, benchmark, looks_at_wall), sizes));
}

double relative(Index ours, double millions) {
  return std::abs(double(ours) / (1e6 * millions) - 1);
}

// Layers of Perceiver IO with channels w that attend to tokens of width t: norms, query, key, value and output, MLP.
constexpr Index cross(Index w, Index t) {
  return 2 * w + 2 * t + 2 * (w * w + w) + 2 * (t * w + w) + 2 * w + 2 * (w * w + w);
}
constexpr Index self(Index w) {
  return cross(w, w) - 2 * w;
}

TEST(ParameterCounts, Senseiver) {
  // The published cylinder model, layer by layer: positions of 2 axes x 32 bands x 2 = 128 columns.
  const Index encoder = (128 + 1) * 16 + 16 + 256 * 16 + 2 * (cross(16, 16) + 3 * self(16));
  const Index decoder = 16 + (128 + 16) * 16 + 16 + cross(16, 16) + 16 + 1;
  EXPECT_EQ(count("senseiver", Benchmark::kCylinder), encoder + decoder);
  EXPECT_EQ(encoder + decoder, 23889);

  const Index airfoils = count("senseiver", Benchmark::kAirfoils);
  EXPECT_EQ(airfoils, 948995);
  EXPECT_LT(relative(airfoils, 0.945), 0.005);

  const Index cavity = count("senseiver", Benchmark::kCavity);
  EXPECT_EQ(cavity, 727684);
  EXPECT_LT(relative(cavity, 0.72), 0.015);
}

TEST(ParameterCounts, DeepONet) {
  EXPECT_EQ(count("deeponet", Benchmark::kCylinder), 221697);
  const Index airfoils = count("deeponet", Benchmark::kAirfoils);
  EXPECT_EQ(airfoils, 325507);
  EXPECT_LT(relative(airfoils, 0.325), 0.005);
}

TEST(ParameterCounts, RecFno) {
  // Four layers of 2 x 24 x 24 modes, each a complex 32 x 32 matrix, are 9.44 of these 9.61 M.
  EXPECT_EQ(count("recfno", Benchmark::kCylinder), 9605077);
  const Index airfoils = count("recfno", Benchmark::kAirfoils);
  EXPECT_EQ(airfoils, 17140515);
  EXPECT_LT(relative(airfoils, 17.136), 0.001);
  const Index cavity = count("recfno", Benchmark::kCavity);
  EXPECT_EQ(cavity, 679876);
  EXPECT_LT(relative(cavity, 0.68), 0.001);
}

TEST(ParameterCounts, FlroNet) {
  EXPECT_EQ(count("flronet", Benchmark::kCylinder), 500901);
  const Index airfoils = count("flronet", Benchmark::kAirfoils);
  EXPECT_EQ(airfoils, 1336563);
  EXPECT_LT(relative(airfoils, 1.332), 0.005);
}

// A user's own data in space takes the cavity's sizes, bodies that differ the airfoils'.
TEST(ParameterCounts, DataAreGivenTheSizesOfTheBenchmarkLikeThem) {
  EXPECT_EQ(benchmark_like(2, false), Benchmark::kCylinder);
  EXPECT_EQ(benchmark_like(2, true), Benchmark::kAirfoils);
  EXPECT_EQ(benchmark_like(3, false), Benchmark::kCavity);
  for (const char* kind : {"senseiver", "deeponet", "recfno", "flronet"})
    EXPECT_LT(count(kind, Benchmark::kCavity), 1000000) << kind;
}

}  // namespace
}  // namespace fluidsplat::baselines
