// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/run_hooks.h"
#include "sim/cylinder.h"

namespace fluidsplat::sim {

struct Settling {
  bool settled = false;
  double cycles = 0;      // shedding periods from the start until the lift had settled
  double lift_since = 0;  // time from which the lift was on its limit cycle
};

// Runs until successive lift extremes differ by less than `tolerance`, then until the fluid that was near the cylinder
// before that has left the window.  Gives up at `longest` D/U.
Settling settle(CylinderFlow& flow, const RunHooks& hooks = {}, double tolerance = 0.01, double longest = 300);

struct WakeOptions {
  int frames = 300;
  // Of the shedding period, from one frame to the next, at most.  The step is chosen between four fifths of this and
  // this such that no two frames have nearly the same phase.
  double frame_step = 0.12;
};

struct WakeFrame {
  int index;
  double time;  // D/U since the start of the simulation
  const WakeImage& image;
  double drag, lift;
};

struct WakeReport {
  bool complete = false;  // false: interrupted, or the flow did not settle
  Settling settling;
  double strouhal = 0, drag_mean = 0, lift_amplitude = 0;
  int cycles = 0;         // shedding periods that the three numbers above average over
  double frame_step = 0;  // D/U
  int frames = 0;         // handed out
  // The smallest difference between the phases of two frames, as the lift showed them, over the mean gap of
  // 1 / frames: at least a third, unless the flow was still settling or its period is nearly a whole number of steps.
  double phase_gap = 0;
};

// Settles the flow, runs on until its period is known well enough to choose the step between frames, then hands out
// frames over many shedding periods.  A frame's image is valid during the call.
WakeReport make_wake_frames(CylinderFlow& flow, const WakeOptions& options,
                            const std::function<void(const WakeFrame&)>& frame, const RunHooks& hooks = {});

// Frames at equal times from the first one after the start (potential flow, and a kick that breaks its symmetry) until
// `length` D/U: the wake as it grows, breaks up and settles.  False when interrupted.
bool make_transient_frames(CylinderFlow& flow, int frames, double length,
                           const std::function<void(const WakeFrame&)>& frame, const RunHooks& hooks = {});

}  // namespace fluidsplat::sim
