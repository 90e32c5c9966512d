// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fluidsplat::draw {
namespace {

constexpr int kAround = 60;

// Rings about a disc of radius 1 whose first ones are far closer to each other than the points along them.
field::Mesh rings() {
  field::Mesh mesh;
  const std::vector<double> radii = {1, 1.002, 1.005, 1.01, 1.02, 1.04, 1.08, 1.16, 1.3, 1.5, 1.75, 2};
  mesh.points.resize(kAround * std::ssize(radii), 2);
  mesh.normals.resize(kAround, 2);
  for (Index i = 0; i < mesh.size(); ++i) {
    const double turn = 2 * std::numbers::pi * double(i % kAround) / kAround, r = radii[i / kAround];
    mesh.points.row(i) << float(r * std::cos(turn)), float(r * std::sin(turn));
    if (i >= kAround) continue;
    mesh.surface.push_back(i);
    mesh.normals.row(i) << float(std::cos(turn)), float(std::sin(turn));
  }
  return mesh;
}

TEST(Plane, ThinLayersAlongAWallHaveNoGapsAndBodiesNoData) {
  const auto mesh = rings();
  const Plane plane(mesh);
  for (int k = 0; k < 720; ++k) {
    const double turn = 2 * std::numbers::pi * (k + 0.3) / 720;
    for (const double r : {1.003, 1.03, 1.4}) EXPECT_GE(plane.point_at(r * std::cos(turn), r * std::sin(turn)), 0) << r;
    for (const double r : {0.0, 0.5, 0.99}) EXPECT_EQ(plane.point_at(r * std::cos(turn), r * std::sin(turn)), -1) << r;
  }
}

TEST(Plane, InterpolatesAmongNeighbours) {
  const auto mesh = rings();
  const Plane plane(mesh);
  const field::Vector x = mesh.points.col(0);
  EXPECT_NEAR(plane.interpolate(x, 1.4, 0.1), 1.4, 0.1);
  EXPECT_EQ(plane.interpolate(x, mesh.points(70, 0), mesh.points(70, 1)), x[70]);
  EXPECT_TRUE(std::isnan(plane.interpolate(x, 0.2, 0)));
}

}  // namespace
}  // namespace fluidsplat::draw
