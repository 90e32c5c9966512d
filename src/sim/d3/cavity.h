// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/run_hooks.h"
#include "sim/d3/lbm.h"
#include "sim/d3/obstacle.h"

namespace fluidsplat::sim::d3 {

// The cube [0, 2]^3 whose wall at y = 2 moves along x with speed 1, as in FlowBench.
constexpr double kCavitySide = 2;

struct CavityCase {
  double reynolds = 100;          // lid speed * side / viscosity
  Index cells = 32;               // along a side
  double lattice_velocity = 0.1;  // of the lid, cells per step, at most
  std::optional<Obstacle> obstacle = std::nullopt;
  int threads = 0;  // 0: every processor of this process
};

// The lid's velocity that a case runs at: smaller than the one set in thick fluids, because walls lose accuracy where
// the viscosity of the lattice is large.
double lattice_velocity(const CavityCase& settings);

// Cell by cell, x fastest, then y, then z; zero where there is no fluid.  Velocities in lid speeds, pressure in density
// * lid speed^2 with mean 0 over the fluid.
struct CavityFields {
  std::vector<float> u, v, w, pressure;
  std::vector<std::uint8_t> fluid;
};

enum class CavityEnd { kSteady, kUnsettled, kDiverged, kInterrupted };

struct CavityReport {
  CavityEnd end = CavityEnd::kUnsettled;
  double time = 0;    // side / lid speed
  double change = 0;  // of the velocity during the last one of these, relative to itself, in the mean square
};

struct SteadyOptions {
  double tolerance = 2e-4;  // of CavityReport::change
  double longest = 150;     // side / lid speed
};

class CavityFlow {
 public:
  explicit CavityFlow(const CavityCase& settings);

  // Runs until the flow is steady.  The part of the progress is "settle".
  CavityReport settle(const SteadyOptions& options = {}, const RunHooks& hooks = {});
  CavityFields fields() const;
  // What the fluid does to the obstacle, over density * lid speed^2 * side^2 / 2.
  Vec3 force_coefficients() const;

 private:
  std::vector<float> velocities() const;

  CavityCase settings_;
  double velocity_;  // of the lid on the lattice
  Lbm lbm_;
};

}  // namespace fluidsplat::sim::d3
