// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/car_body.h"
#include "sim/surface_cloud.h"

namespace fluidsplat::sim {

// A car in a stream.
struct CarCase {
  CarShape shape;
  double speed = 30;  // m/s
  double yaw = 0;     // degrees, of the stream against the car's axis, about z

  Eigen::Vector3d stream() const;
};

// Case `number` of a set; another `attempt` draws another one in its place.
CarCase random_car_case(std::uint64_t seed, Index number, Index attempt);

struct CarFlowSettings {
  double panel_size = 0.11;  // m
  Index rows = 28000;        // points asked for; there are whole numbers of them on every panel
  Index solver_steps = 200;  // after which a case is given up
  int threads = 0;           // 0: every processor of this process
};

struct CarPressure {
  SurfaceCloud cloud;  // pressure over density above the free stream's, m2/s2
  Index panels = 0, iterations = 0;
  double drag = 0;  // see PanelSolution
};

// Ideal flow over a road.  Throws Error when what comes out cannot be right: see check_pressure.
CarPressure car_pressure(const CarCase& c, const CarFlowSettings& settings);

// Throws Error unless the coefficients are finite, nowhere above 1 (Bernoulli), near 1 somewhere (a body has a
// stagnation point), not so low that a panel must have gone wrong, and nearly without drag (d'Alembert).
void check_pressure(const Eigen::VectorXd& coefficients, double drag);

}  // namespace fluidsplat::sim
