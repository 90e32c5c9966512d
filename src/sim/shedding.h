// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fluidsplat::sim {

// One shedding cycle: from an upward zero crossing of the lift to the next.
struct SheddingCycle {
  double start, period;
  double lift_max, lift_min, drag_mean;
};

// Watches lift and drag as the flow runs and cuts them into cycles.  Crossings are interpolated between samples.
class SheddingMeter {
 public:
  void push(double time, double lift, double drag);

  const std::vector<SheddingCycle>& cycles() const { return cycles_; }
  // The last `count` steps from one cycle to the next changed neither lift extreme by more than `tolerance` of itself,
  // and the two extremes are opposite within the same tolerance.
  bool settled(double tolerance = 0.01, int count = 2) const;

  struct Summary {
    double period = 0, lift_amplitude = 0, drag_mean = 0;
    int cycles = 0;
  };
  // Means over the cycles that start at or after a time.
  Summary summary(double since) const;

  // The upward crossings of the lift at or after a time.
  std::vector<double> crossings(double since) const;
  // Where in its cycle the flow was at a time: 0 at an upward crossing, growing to 1 at the next.  Past the last
  // crossing the last whole cycle's period is taken.  There must be a whole cycle, and the time must not lie before it.
  double phase(double time) const;

 private:
  std::vector<SheddingCycle> cycles_;
  bool first_ = true, open_ = false;
  double last_time_ = 0, last_lift_ = 0;
  double start_ = 0, max_ = 0, min_ = 0, drag_sum_ = 0;
  long samples_ = 0;
};

}  // namespace fluidsplat::sim
