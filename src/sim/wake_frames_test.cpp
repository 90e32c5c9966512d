// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/wake_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fluidsplat::sim {
namespace {

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
      EXPECT_NEAR(frame.time - last_time, 0.116 * 6, 0.06);
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
