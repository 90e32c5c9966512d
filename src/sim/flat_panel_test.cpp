// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/flat_panel.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

#include "sim/panel_fixture.h"

namespace fluidsplat::sim {
namespace {

using Eigen::Vector3d;

// A flat quadrilateral, not a rectangle, tilted in space, and the same as two triangles.
PanelMesh tilted_panel() {
  const Vector3d a(1, 0.2, 0.1), b(-0.3, 0.8, 0.4), origin(0.5, -1, 2);
  return {{origin, origin + a, origin + 1.2 * a + b, origin + 0.1 * a + 0.9 * b}, {{0, 1, 2, 3}}};
}

// The integrals over the panel by many small pieces.
PanelInfluence summed(const PanelMesh& mesh, const Vector3d& normal, const Vector3d& at) {
  constexpr int kCells = 400;
  PanelInfluence sum;
  for (const auto& t : cut(mesh).panels) {
    const Vector3d &o = mesh.vertices[t[0]], a = mesh.vertices[t[1]] - o, b = mesh.vertices[t[2]] - o;
    const double cell = a.cross(b).norm() / (kCells * kCells);
    for (int i = 0; i < kCells; ++i)
      for (int j = 0; i + j < kCells; ++j) {
        // The cells along the slanted edge are halves; their centres are nearer to the corner.
        const bool half = i + j == kCells - 1;
        const double shift = half ? 1.0 / 3 : 0.5;
        const Vector3d away = at - (o + (i + shift) / kCells * a + (j + shift) / kCells * b);
        const double source = (half ? 0.5 : 1) * cell / (4 * std::numbers::pi * away.norm());
        sum.source += source;
        sum.doublet += source * away.dot(normal) / away.squaredNorm();
      }
  }
  return sum;
}

TEST(FlatPanel, TheClosedFormsAreTheIntegrals) {
  const auto mesh = tilted_panel();
  const FlatPanel panel(mesh, mesh.panels[0]);
  for (const Vector3d& off : {Vector3d(0.1, 0.3, 0.4), Vector3d(-0.2, 0.1, -0.6), Vector3d(1.5, 1, 0.3)}) {
    const auto exact = panel.exact_influence(panel.centre() + off);
    const auto sum = summed(mesh, panel.normal(), panel.centre() + off);
    EXPECT_NEAR(exact.source, sum.source, 2e-5 * sum.source);
    EXPECT_NEAR(exact.doublet, sum.doublet, 2e-5 * std::abs(sum.doublet));
  }
}

TEST(FlatPanel, AQuadrilateralIsItsTwoTriangles) {
  const auto mesh = tilted_panel();
  const FlatPanel whole(mesh, mesh.panels[0]);
  const auto halves = flat_panels(cut(mesh));
  EXPECT_NEAR(halves[0].area() + halves[1].area(), whole.area(), 1e-14);
  const Vector3d at = whole.centre() + Vector3d(0.2, 0.1, 0.3);
  const auto one = halves[0].exact_influence(at), other = halves[1].exact_influence(at),
             both = whole.exact_influence(at);
  EXPECT_NEAR(one.source + other.source, both.source, 1e-14);
  EXPECT_NEAR(one.doublet + other.doublet, both.doublet, 1e-14);
}

TEST(FlatPanel, ADoubletJumpsByOneAcrossThePanelAndASourceDoesNot) {
  const auto mesh = tilted_panel();
  const FlatPanel panel(mesh, mesh.panels[0]);
  const auto above = panel.exact_influence(panel.centre() + 1e-9 * panel.normal()),
             below = panel.exact_influence(panel.centre() - 1e-9 * panel.normal()),
             inside = panel.exact_influence(panel.centre());
  EXPECT_NEAR(above.doublet, 0.5, 1e-8);
  EXPECT_NEAR(below.doublet, -0.5, 1e-8);
  EXPECT_EQ(inside.doublet, 0);
  EXPECT_NEAR(above.source, inside.source, 1e-8);
  EXPECT_TRUE(std::isfinite(panel.exact_influence(mesh.vertices[1]).source)) << "on a corner";
}

TEST(FlatPanel, FarAwayEverythingIsInItsCentre) {
  const auto mesh = tilted_panel();
  const FlatPanel panel(mesh, mesh.panels[0]);
  const double diagonal = (mesh.vertices[2] - mesh.vertices[0]).norm();
  for (const Vector3d& way : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1), Vector3d(-0.6, 0.8, 0)})
    for (const double share : {1.001, 2.002}) {
      const Vector3d at = panel.centre() + share * FlatPanel::kFar * diagonal * way;
      const auto far = panel.influence(at), exact = panel.exact_influence(at);
      EXPECT_NE(far.source, exact.source) << "the far field was not used";
      EXPECT_NEAR(far.source, exact.source, 0.003 / (share * share) * exact.source);
      const double largest = exact.source / (at - panel.centre()).norm();
      EXPECT_NEAR(far.doublet, exact.doublet, 0.003 / (share * share) * largest);
    }
}

// From inside a closed body it is seen all around, from outside as nothing.
TEST(FlatPanel, AClosedBodyIsSeenUnderTheWholeAngle) {
  const auto panels = flat_panels(cut(sphere_mesh(3)));
  const auto seen = [&](const Vector3d& at) {
    double sum = 0;
    for (const auto& p : panels) sum += p.exact_influence(at).doublet;
    return sum;
  };
  EXPECT_NEAR(seen({0.1, 0.2, -0.3}), -1, 1e-12);
  EXPECT_NEAR(seen({1.4, 0.2, -0.3}), 0, 1e-12);
}

TEST(FlatPanel, BentCornersAreMovedIntoOnePlane) {
  const PanelMesh bent = {{{0, 0, 0.1}, {1, 0, -0.1}, {1, 1, 0.1}, {0, 1, -0.1}}, {{0, 1, 2, 3}}};
  const FlatPanel panel(bent, bent.panels[0]);
  EXPECT_LT((panel.normal() - Vector3d(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((panel.centre() - Vector3d(0.5, 0.5, 0)).norm(), 1e-14);
  EXPECT_NEAR(panel.area(), 1, 1e-14);
}

}  // namespace
}  // namespace fluidsplat::sim
