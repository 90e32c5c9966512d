// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/wake_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/phase_gap.h"

namespace fluidsplat::sim {
namespace {

// Too coarse for its numbers, but it sheds as regularly as a finer one, in 315 steps.
CylinderCase coarse() {
  CylinderCase c;
  c.reynolds = 92;
  c.cells_per_diameter = 10;
  c.lattice_velocity = 0.2;
  c.upstream = 4, c.downstream = 9, c.height = 10, c.sponge = 3;
  c.window = {.rows = 48, .columns = 80, .pixels_per_diameter = 12, .centre_row = 23.5, .centre_column = 13.5};
  c.threads = 1;
  return c;
}

// Published for an unbounded cylinder at Re 100: Strouhal 0.164 to 0.167, drag 1.33 to 1.38, lift 0.32 to 0.34.
TEST(WakeFrames, QuickCylinderAtReynolds100HasTheKnownStrouhalDragAndLift) {
  CylinderFlow flow(CylinderCase::quick());
  int frames = 0;
  double last_time = 0, largest = 0;
  WakeOptions options;
  options.frames = 10;
  const WakeReport report = make_wake_frames(flow, options, [&](const WakeFrame& frame) {
    EXPECT_EQ(frame.index, frames++);
    if (frame.index > 0) {
      EXPECT_NEAR(frame.time - last_time, 0.11 * 6, 0.09);
    }
    last_time = frame.time;
    for (const float w : frame.image.vorticity) {
      ASSERT_TRUE(std::isfinite(w));
      largest = std::max(largest, double(std::abs(w)));
    }
  });
  ASSERT_TRUE(report.complete);
  EXPECT_EQ(frames, 10);
  EXPECT_LT(report.settling.cycles, 15);
  EXPECT_NEAR(report.strouhal, 0.167, 0.005);
  EXPECT_NEAR(report.drag_mean, 1.36, 0.06);
  EXPECT_NEAR(report.lift_amplitude, 0.335, 0.03);
  EXPECT_GT(largest, 8);  // of the boundary layer
  EXPECT_LT(largest, 25);
}

// More frames than a period has steps.  The phases are those that the lift itself shows.
TEST(WakeFrames, NoTwoFramesHaveNearlyTheSamePhase) {
  CylinderFlow flow(coarse());
  WakeOptions options;
  options.frames = 400;
  std::vector<double> times;
  const auto report = make_wake_frames(flow, options, [&](const WakeFrame& frame) { times.push_back(frame.time); });
  ASSERT_TRUE(report.complete);

  const auto crossings = flow.shedding().crossings(times.front());
  ASSERT_GT(crossings.size(), 30u);
  const double period = (crossings.back() - crossings.front()) / double(crossings.size() - 1);
  EXPECT_LT(period, options.frames * flow.time_step());
  for (double& time : times) time /= period;
  const double gap = smallest_phase_gap(times);
  EXPECT_GT(gap, 1.0 / 3);
  EXPECT_NEAR(report.phase_gap, gap, 0.02);
}

TEST(WakeFrames, DoesNotWaitWhereWaitingCannotPartTheFrames) {
  double first[2] = {};
  for (const int frames : {2, 50}) {
    CylinderFlow flow(coarse());
    make_wake_frames(flow, {.frames = frames}, [&](const WakeFrame& frame) {
      if (frame.index == 0) first[frames > 2] = frame.time;
    });
  }
  EXPECT_GT(first[0], 0);
  EXPECT_LE(first[0], first[1]);
}

TEST(WakeFrames, StopsWhenAsked) {
  CylinderCase small;
  small.cells_per_diameter = 8;
  CylinderFlow flow(small);
  int asked = 0;
  const WakeReport report =
      make_wake_frames(flow, {}, [](const WakeFrame&) { FAIL() << "no frame before the flow settles"; },
                       {.progress = {}, .interrupted = [&] { return ++asked > 3; }});
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.frames, 0);
}

}  // namespace
}  // namespace fluidsplat::sim
