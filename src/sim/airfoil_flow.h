// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "base/run_hooks.h"
#include "sim/flow_fields.h"
#include "sim/lbm.h"
#include "sim/naca.h"

namespace fluidsplat::sim {

// Flow past an airfoil.  Lengths are in chords, velocities in free-stream velocities, times in chords over velocity.
// The chord lies along x from (0, 0) to (1, 0); the stream comes from below by the angle.
struct AirfoilCase {
  std::vector<double> digits = {0, 0, 12};  // see NacaAirfoil
  double reynolds = 1000, angle = 0;        // of the chord; in degrees
  double cells_per_chord = 48;
  double lattice_velocity = 0.05;  // cells per step; at 0.1 separated flows at 1,000 and more diverge
  double upstream = 3, downstream = 5.5, height = 6;  // from the leading edge to the edges; of the whole domain
  double sponge = 1;                                  // the last part of downstream
  double settle_least = 10, settle_most = 18;         // when steadiness is looked for, and given up
  double average = 12;                                // how long an unsteady flow is averaged
  int threads = 0;                                    // 0: every processor of this process
};

struct AirfoilReport {
  bool complete = false;  // false: interrupted, or diverged
  bool diverged = false;
  bool steady = false;        // else drag, lift and fields are means over AirfoilCase::average
  double time = 0;            // simulated in all
  double drag = 0, lift = 0;  // coefficients: force over density * velocity^2 * chord / 2
  double lift_amplitude = 0;  // half of the range that the lift passed through while it was averaged
};

// Velocities / U and pressure / (density U^2), 0 far away.
struct AirfoilSample {
  double u = 0, v = 0, pressure = 0;
};

// Runs a case and then answers at any point of the domain.
class AirfoilFlow {
 public:
  explicit AirfoilFlow(const AirfoilCase& settings);

  // From an impulsive start until the forces no longer change or, where they keep changing, over settle_most and a mean
  // over a time of `average`.
  AirfoilReport run(const RunHooks& hooks = {});

  // After run().  Nearer to the wall than the lattice resolves, values follow a parabola (velocity, 0 at the wall) and
  // a straight line (pressure) along the normal.
  AirfoilSample at(Vec2 point) const;

  const AirfoilCase& settings() const { return settings_; }
  const NacaAirfoil& airfoil() const { return airfoil_; }
  const Lbm& lbm() const { return lbm_; }
  double time() const { return double(steps_) * settings_.lattice_velocity / settings_.cells_per_chord; }
  // In the last step.
  double drag() const { return drag_; }
  double lift() const { return lift_; }
  void step(int count);

 private:
  struct Window;
  bool advance(double duration, bool keep_fields, const RunHooks& hooks, Window& window);
  void keep_instant();
  void follow(const Window& window);
  AirfoilSample interpolate(Vec2 point) const;
  double total_pressure() const;

  AirfoilCase settings_;
  NacaAirfoil airfoil_;
  Lbm lbm_;
  FieldReader reader_;
  FlowFields instant_, mean_;
  Index kept_ = 0;           // instants in mean_
  double pressure_far_ = 0;  // over density U^2; subtracted from all pressures
  Index steps_ = 0;
  double drag_ = 0, lift_ = 0;
};

}  // namespace fluidsplat::sim
