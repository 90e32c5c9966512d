// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/surface_gradient.h"

#include <gtest/gtest.h>

#include "sim/panel_fixture.h"

namespace fluidsplat::sim {
namespace {

TEST(SurfaceGradient, NeighboursShareACorner) {
  const std::vector<double> planes = {0, 1, 2, 3};
  const auto box = box_surface(planes, planes, planes);
  const auto around = panel_neighbours(box);
  std::size_t fewest = 100, most = 0;
  for (const auto& list : around) fewest = std::min(fewest, list.size()), most = std::max(most, list.size());
  EXPECT_EQ(most, 8u);
  EXPECT_EQ(fewest, 7u) << "at the box's corners three panels meet";
}

// Of the height above a plane through the middle of a sphere: the part of the plane's normal along the surface.
TEST(SurfaceGradient, IsOfSecondOrderOnASphere) {
  const Eigen::Vector3d up = Eigen::Vector3d(1, 2, 3).normalized();
  const auto largest_error = [&](const PanelMesh& mesh) {
    const auto panels = flat_panels(mesh);
    const auto around = panel_neighbours(mesh);
    Eigen::VectorXd values(std::ssize(panels));
    for (Index i = 0; i < values.size(); ++i) values[i] = panels[i].centre().normalized().dot(up);
    double worst = 0;
    for (Index i = 0; i < values.size(); ++i) {
      const Eigen::Vector3d n = panels[i].centre().normalized();
      worst = std::max(worst, (surface_gradient(panels, around[i], values, i) - (up - up.dot(n) * n)).norm());
    }
    return worst;
  };
  const double coarse = largest_error(sphere_mesh(8)), fine = largest_error(sphere_mesh(16));
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
}

}  // namespace
}  // namespace fluidsplat::sim
