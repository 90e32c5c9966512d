// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/index.h"
#include "sim/flow_fields.h"
#include "sim/lbm.h"
#include "sim/shedding.h"
#include "sim/window.h"

namespace fluidsplat::sim {

// Flow past a cylinder.  Lengths are in diameters (of an ellipse: in its height), velocities in free-stream velocities.
struct CylinderCase {
  double reynolds = 100;
  double length = 1;  // along the stream; 1: a circle, else an ellipse
  double cells_per_diameter = 16;
  double lattice_velocity = 0.1;         // cells per step; small means slow and nearly incompressible
  double upstream = 8, downstream = 20;  // from the centre to the edges
  double height = 20;                    // of the whole domain; the blockage is 1 / height
  double sponge = 4;                     // the last part of downstream
  PixelWindow window;
  int threads = 0;  // 0: every processor of this process

  // 300 frames in less than a minute on two cores.
  static CylinderCase quick();
  // Finer, for data that a model is judged on.
  static CylinderCase fine();
};

// A frame of the wake: vorticity * D/U, velocities / U, pressure / (density U^2), one float per pixel, row by row.
struct WakeImage {
  std::vector<float> vorticity, u, v, pressure;
};

// Runs the case.  Time is in D/U.
class CylinderFlow {
 public:
  explicit CylinderFlow(const CylinderCase& settings);

  void step(int count);
  // Runs the whole number of steps that is nearest to this time.
  void advance(double time);

  const CylinderCase& settings() const { return settings_; }
  const Lbm& lbm() const { return lbm_; }
  double time() const { return double(steps_) * time_step_; }
  double time_step() const { return time_step_; }
  // Forces per unit length over density U^2 D / 2, in the last step.
  double drag() const { return drag_; }
  double lift() const { return lift_; }
  const SheddingMeter& shedding() const { return shedding_; }

  void read(WakeImage& image);
  const std::vector<std::uint8_t>& mask() const { return sampler_.mask(); }
  // The whole lattice, in lattice units.
  const FlowFields& fields();

 private:
  CylinderCase settings_;
  double time_step_;
  Lbm lbm_;
  FieldReader reader_;
  WindowSampler sampler_;
  FlowFields fields_;
  SheddingMeter shedding_;
  Index steps_ = 0;
  double drag_ = 0, lift_ = 0;
};

}  // namespace fluidsplat::sim
