// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/streamlines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace fluidsplat::draw {
namespace {

using Flow = std::function<std::array<double, 2>(double, double)>;

// Points in [-1, 1]^2 without those in a disc about the middle.
field::Mesh plate(int n, double hole) {
  std::vector<std::array<float, 2>> kept;
  for (int i = 0; i < n * n; ++i) {
    const double x = -1 + 2.0 * (i % n) / (n - 1), y = -1 + 2.0 * (i / n) / (n - 1);
    if (std::hypot(x, y) >= hole) kept.push_back({float(x), float(y)});
  }
  field::Mesh mesh;
  mesh.points.resize(std::ssize(kept), 2);
  for (Index i = 0; i < std::ssize(kept); ++i) mesh.points.row(i) << kept[i][0], kept[i][1];
  return mesh;
}

std::vector<Path> lines_of(const field::Mesh& mesh, const Flow& flow, double spacing) {
  field::Vector u(mesh.size()), v(mesh.size());
  for (Index i = 0; i < mesh.size(); ++i) {
    const auto [x, y] = flow(mesh.points(i, 0), mesh.points(i, 1));
    u[i] = float(x), v[i] = float(y);
  }
  return streamlines(Plane(mesh), u, v, spacing);
}

// Around a vortex lines are circles, and they run with the flow.
TEST(Streamlines, FollowTheFlow) {
  const auto lines = lines_of(
      plate(101, 0),
      [](double x, double y) {
        return std::array{-y, x};
      },
      0.05);
  ASSERT_GE(lines.size(), 8u);
  for (const auto& line : lines) {
    const double radius = std::hypot(line[0][0], line[0][1]);
    for (std::size_t i = 1; i < line.size(); ++i) {
      ASSERT_NEAR(std::hypot(line[i][0], line[i][1]), radius, 0.02);
      ASSERT_GT(line[i - 1][0] * line[i][1] - line[i - 1][1] * line[i][0], 0) << "anticlockwise";
    }
  }
}

TEST(Streamlines, KeepTheirDistanceAndLeaveNoGap) {
  const double spacing = 0.05, distance = spacing * 2;
  const auto lines = lines_of(
      plate(101, 0),
      [](double, double) {
        return std::array{1.0, 0.0};
      },
      spacing);
  std::vector<double> heights;
  for (const auto& line : lines) heights.push_back(line[line.size() / 2][1]);
  std::sort(heights.begin(), heights.end());
  ASSERT_GE(heights.size(), 15u);
  for (std::size_t i = 1; i < heights.size(); ++i) {
    EXPECT_GT(heights[i] - heights[i - 1], 0.49 * distance);
    EXPECT_LT(heights[i] - heights[i - 1], 2.1 * distance);
  }
}

// A raster as fine as the shorter side asks for would not end here.
TEST(Streamlines, ATallNarrowFlowIsNoMoreWorkThanAWideOne) {
  field::Mesh mesh;
  mesh.points.resize(5 * 500, 2);
  for (int i = 0; i < 5 * 500; ++i) mesh.points.row(i) << 0.25f * float(i % 5), 0.25f * float(i / 5);
  EXPECT_FALSE(lines_of(
                   mesh,
                   [](double, double) {
                     return std::array{0.0, 1.0};
                   },
                   0.05)
                   .empty());
}

TEST(Streamlines, EndAtTheBody) {
  const auto lines = lines_of(
      plate(101, 0.4),
      [](double, double) {
        return std::array{1.0, 0.0};
      },
      0.05);
  ASSERT_FALSE(lines.empty());
  for (const auto& line : lines)
    for (const auto& [x, y] : line) ASSERT_GT(std::hypot(x, y), 0.36);
}

TEST(Streamlines, NoneInAFlowThatStandsStillOrIsNotKnown) {
  EXPECT_TRUE(lines_of(
                  plate(21, 0),
                  [](double, double) {
                    return std::array{0.0, 0.0};
                  },
                  0.05)
                  .empty());
  EXPECT_TRUE(lines_of(
                  plate(21, 0),
                  [](double, double) {
                    return std::array{double(NAN), 1.0};
                  },
                  0.05)
                  .empty());
}

}  // namespace
}  // namespace fluidsplat::draw
