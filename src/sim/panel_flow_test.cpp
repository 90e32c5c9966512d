// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/panel_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/panel_fixture.h"

namespace fluidsplat::sim {
namespace {

using Eigen::Vector3d;
using ::testing::HasSubstr;

struct Errors {
  double rms = 0, largest = 0;
};

// Of the pressure coefficient of a unit sphere, which is 1 - 9/4 sin^2.
Errors sphere_errors(const PanelMesh& mesh) {
  const PanelFlow flow(mesh, {});
  const Vector3d stream = Vector3d(1, 2, -0.5).normalized();
  const auto solution = flow.solve(3 * stream);
  Errors out;
  for (Index i = 0; i < solution.pressure.size(); ++i) {
    const double cosine = flow.panels()[i].centre().normalized().dot(stream);
    const double error = std::abs(solution.pressure[i] - (1 - 2.25 * (1 - cosine * cosine)));
    out.rms += error * error / double(solution.pressure.size());
    out.largest = std::max(out.largest, error);
  }
  out.rms = std::sqrt(out.rms);
  return out;
}

double order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

TEST(PanelFlow, ASphereHasItsPressureToSecondOrder) {
  const auto coarse = sphere_errors(sphere_mesh(6)), middle = sphere_errors(sphere_mesh(12)),
             fine = sphere_errors(sphere_mesh(18));
  EXPECT_LT(middle.rms, 0.01);
  EXPECT_GT(order(coarse.rms, middle.rms), 1.9);
  EXPECT_GT(std::log(middle.rms / fine.rms) / std::log(1.5), 1.9);
  EXPECT_GT(order(coarse.largest, middle.largest), 1.5);
}

// Lamb: the stream along an axis passes an ellipsoid's surface with 2 / (2 - alpha) times its part along the surface,
// where alpha = a b c integral_0^inf dl / ((a_i^2 + l) sqrt((a^2 + l) (b^2 + l) (c^2 + l))).
Vector3d ellipsoid_speedup(const Vector3d& axes) {
  constexpr int kSteps = 20000;
  Vector3d alpha = Vector3d::Zero();
  for (int k = 0; k < kSteps; ++k) {
    // l = t / (1 - t) with t in (0, 1)
    const double t = (k + 0.5) / kSteps, l = t / (1 - t), width = 1 / (kSteps * (1 - t) * (1 - t));
    const Eigen::Array3d sums = axes.array().square() + l;
    alpha.array() += axes.prod() * width / (sums * std::sqrt(sums.prod()));
  }
  return 2 / (2 - alpha.array());
}

TEST(PanelFlow, AnEllipsoidHasItsClosedForm) {
  const Vector3d axes(2, 1, 0.7), stream(0.8, 0.5, 0.3);
  EXPECT_LT((ellipsoid_speedup({1, 1, 1}) - Vector3d::Constant(1.5)).norm(), 1e-6);
  const Vector3d faster = ellipsoid_speedup(axes).cwiseProduct(stream);
  const auto largest_error = [&](int n) {
    auto mesh = sphere_mesh(n);
    for (auto& v : mesh.vertices) v = v.cwiseProduct(axes);
    const PanelFlow flow(mesh, {});
    const auto solution = flow.solve(stream);
    double sum = 0;
    for (Index i = 0; i < solution.pressure.size(); ++i) {
      const Vector3d normal = flow.panels()[i].centre().cwiseQuotient(axes.cwiseProduct(axes)).normalized();
      const Vector3d velocity = faster - faster.dot(normal) * normal;
      sum += (solution.velocity.col(i) - velocity).squaredNorm();
    }
    return std::sqrt(sum / double(solution.pressure.size()));
  };
  const double coarse = largest_error(8), fine = largest_error(16);
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(order(coarse, fine), 1.8);
}

TEST(PanelFlow, TrianglesDoToo) {
  const auto coarse = sphere_errors(cut(sphere_mesh(6))), fine = sphere_errors(cut(sphere_mesh(12)));
  EXPECT_LT(fine.rms, 0.02);
  EXPECT_GT(order(coarse.rms, fine.rms), 0.9);
}

PanelMesh lifted_sphere(int n, double height) {
  auto mesh = sphere_mesh(n);
  for (auto& v : mesh.vertices) v.z() += height;
  return mesh;
}

TEST(PanelFlow, NothingFlowsThroughTheGround) {
  PanelFlowSettings settings;
  settings.ground = true;
  const PanelFlow flow(lifted_sphere(6, 1.3), settings);
  const auto solution = flow.solve({1, 0.2, 0});
  const auto upward = [&](double x, double y, double z) {
    constexpr double kStep = 1e-4;
    return (flow.potential(solution, {x, y, z + kStep}) - flow.potential(solution, {x, y, z - kStep})) / (2 * kStep);
  };
  for (const double x : {-2.0, -0.4, 0.0, 0.3, 1.5}) EXPECT_NEAR(upward(x, 0.5 * x, 0), 0, 1e-10);
  // Above it something does, or the test would say nothing.
  EXPECT_GT(std::abs(upward(-1, 0, 0.3)), 0.01);
}

// A dipole of half the cube of the radius.
TEST(PanelFlow, ASphereActsFarAwayAsADipole) {
  const PanelFlow flow(sphere_mesh(10), {});
  const auto solution = flow.solve({1, 0, 0});
  for (const Vector3d& at : {Vector3d(1.5, 0, 0), Vector3d(-2, 1, 1), Vector3d(0.3, 4, -2)})
    EXPECT_NEAR(flow.potential(solution, at), 0.5 * at.x() / std::pow(at.norm(), 3), 0.004);
}

TEST(PanelFlow, TheGroundIsASecondBodyBelow) {
  PanelFlowSettings settings;
  settings.ground = true;
  const auto above = lifted_sphere(5, 1.4);
  const auto with_ground = PanelFlow(above, settings).solve({1, 0, 0});
  auto both = above;
  const auto count = std::ssize(above.vertices);
  for (const auto& v : above.vertices) both.vertices.emplace_back(v.x(), v.y(), -v.z());
  for (const auto& p : above.panels) both.panels.push_back({p[0] + count, p[3] + count, p[2] + count, p[1] + count});
  const auto with_twin = PanelFlow(both, {}).solve({1, 0, 0});
  for (Index i = 0; i < with_ground.pressure.size(); ++i)
    EXPECT_NEAR(with_ground.pressure[i], with_twin.pressure[i], 1e-8);
}

TEST(PanelFlow, FlowsAlongTheSurfaceWithoutDrag) {
  const PanelFlow flow(sphere_mesh(8), {});
  const auto solution = flow.solve({1, 0.4, 0.1});
  for (Index i = 0; i < solution.pressure.size(); ++i)
    EXPECT_NEAR(solution.velocity.col(i).dot(flow.panels()[i].normal()), 0, 1e-12);
  EXPECT_NEAR(solution.drag, 0, 1e-6);
  EXPECT_LT(solution.iterations, 25);
}

TEST(PanelFlow, SameBitsWithAnyNumberOfThreads) {
  PanelFlowSettings one, three;
  one.ground = three.ground = true;
  one.threads = 1;
  three.threads = 3;
  const auto mesh = lifted_sphere(6, 1.2);
  const auto a = PanelFlow(mesh, one).solve({1, 0.1, 0}), b = PanelFlow(mesh, three).solve({1, 0.1, 0});
  EXPECT_EQ(a.pressure, b.pressure);
  EXPECT_EQ(a.potential, b.potential);
}

TEST(PanelFlow, RefusesBodiesInTheGroundAndSystemsItCannotSolve) {
  PanelFlowSettings settings;
  settings.ground = true;
  try {
    PanelFlow(sphere_mesh(3), settings);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("reaches the ground"));
  }
  settings.ground = false;
  settings.most_iterations = 1;
  try {
    PanelFlow(sphere_mesh(3), settings).solve({1, 0, 0.3});
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("no solution after 1 steps"));
  }
}

}  // namespace
}  // namespace fluidsplat::sim
