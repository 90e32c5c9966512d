// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/surface_cloud.h"

#include <gtest/gtest.h>

#include "sim/flat_panel.h"
#include "sim/panel_fixture.h"

namespace fluidsplat::sim {
namespace {

double wave(const Eigen::Vector3d& at) {
  return std::sin(2 * at.x()) + at.y() * at.z();
}

Eigen::VectorXd wave_on(const PanelMesh& mesh) {
  Eigen::VectorXd out(std::ssize(mesh.panels));
  for (Index p = 0; p < out.size(); ++p) out[p] = wave(FlatPanel(mesh, mesh.panels[p]).centre());
  return out;
}

// In the mean.
double error(int n, Index divisions) {
  const auto mesh = sphere_mesh(n);
  const auto cloud = refine_surface(mesh, wave_on(mesh), divisions);
  EXPECT_EQ(cloud.values.size(), std::ssize(mesh.panels) * divisions * divisions);
  double sum = 0;
  for (Index i = 0; i < cloud.values.size(); ++i) sum += std::abs(cloud.values[i] - wave(cloud.points.col(i)));
  return sum / double(cloud.values.size());
}

// Where the lattice bends, along the edges of the cube that the sphere was, single values are of first order.
TEST(SurfaceCloud, InterpolatesToSecondOrder) {
  const double coarse = error(16, 4), fine = error(32, 4);
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
}

TEST(SurfaceCloud, KeepsThePanelsOwnValues) {
  const auto mesh = sphere_mesh(4);
  const auto values = wave_on(mesh);
  EXPECT_EQ(refine_surface(mesh, values, 1).values, values);
  const auto thrice = refine_surface(mesh, values, 3);
  for (Index p = 0; p < values.size(); ++p) EXPECT_NEAR(thrice.values[9 * p + 4], values[p], 1e-12);
}

// On a flat lattice a linear field comes out as it is, wherever the quarter's corner is.
TEST(SurfaceCloud, LinearFieldsAreExactInsideAPlane) {
  const std::vector<double> planes = {0, 1, 2, 3, 4, 5};
  const auto box = box_surface(planes, planes, planes);
  Eigen::VectorXd values(std::ssize(box.panels));
  const auto linear = [](const Eigen::Vector3d& at) { return 3 * at.x() - 2 * at.y() + 0.5 * at.z(); };
  for (Index p = 0; p < values.size(); ++p) values[p] = linear(FlatPanel(box, box.panels[p]).centre());
  const auto cloud = refine_surface(box, values, 4);
  Index inside = 0;
  for (Index i = 0; i < cloud.values.size(); ++i) {
    const Eigen::Vector3d at = cloud.points.col(i), from_edge = at.cwiseMin((5 - at.array()).matrix());
    // Half a panel from the box's edges the mean over a corner is one-sided.
    if ((from_edge.array() < 1e-9).count() != 1 || (from_edge.array() < 0.5).count() != 1) continue;
    ++inside;
    EXPECT_NEAR(cloud.values[i], linear(at), 1e-12);
  }
  EXPECT_EQ(inside, 6 * 16 * 16);
}

}  // namespace
}  // namespace fluidsplat::sim
