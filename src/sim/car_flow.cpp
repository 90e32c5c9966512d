// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/car_flow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "sim/panel_flow.h"

namespace fluidsplat::sim {
namespace {

constexpr std::uint64_t kCarDraw = 0xca4;

}  // namespace

Eigen::Vector3d CarCase::stream() const {
  const double angle = yaw * std::numbers::pi / 180;
  return {speed * std::cos(angle), speed * std::sin(angle), 0};
}

CarCase random_car_case(std::uint64_t seed, Index number, Index attempt) {
  Random random(seed, kCarDraw + 65536 * static_cast<std::uint64_t>(attempt), static_cast<std::uint64_t>(number));
  CarCase c;
  c.shape = random_car(random);
  // The fastest has the stagnation pressure that the published set ends at: 34.7^2 / 2 = 602.
  c.speed = random.uniform(20, 34.7);
  c.yaw = random.uniform(0, 10);
  return c;
}

void check_pressure(const Eigen::VectorXd& coefficients, double drag) {
  constexpr double kLowest = -12, kStagnation = 0.9, kMostDrag = 0.02;
  if (!coefficients.allFinite()) fail("car: the pressure is not finite everywhere");
  if (coefficients.maxCoeff() > 1 + 1e-9 || coefficients.maxCoeff() < kStagnation)
    fail("car: the highest pressure coefficient is {:.3f}, at the stagnation point it must be near 1",
         coefficients.maxCoeff());
  if (coefficients.minCoeff() < kLowest)
    fail("car: the lowest pressure coefficient is {:.1f}, below {:g} panels are too coarse for an edge",
         coefficients.minCoeff(), kLowest);
  if (std::abs(drag) > kMostDrag)
    fail("car: the pressure adds up to a drag of {:.2g} over the surface, in an ideal flow there is none", drag);
}

CarPressure car_pressure(const CarCase& c, const CarFlowSettings& settings) {
  const auto mesh = car_mesh(c.shape, settings.panel_size);
  PanelFlowSettings flow;
  flow.ground = true;
  flow.most_iterations = settings.solver_steps;
  flow.threads = settings.threads;
  const auto solution = PanelFlow(mesh, flow).solve(c.stream());
  check_pressure(solution.pressure, solution.drag);
  CarPressure out;
  out.panels = std::ssize(mesh.panels);
  out.iterations = solution.iterations;
  out.drag = solution.drag;
  const double per_panel = double(settings.rows) / double(out.panels);
  const auto divisions = std::max<Index>(1, Index(std::lround(std::sqrt(per_panel))));
  out.cloud = refine_surface(mesh, solution.pressure, divisions);
  out.cloud.values *= 0.5 * c.speed * c.speed;
  return out;
}

}  // namespace fluidsplat::sim
