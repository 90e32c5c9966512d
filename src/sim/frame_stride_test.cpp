// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/frame_stride.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

TEST(FrameStride, SpreadIsZeroForFractionsAndLargeForTheGoldenRatio) {
  EXPECT_NEAR(spread(0.125, 8), 0, 1e-12);
  EXPECT_GT(spread(0.125, 7), 0.1);
  EXPECT_NEAR(spread(2.0 / 17, 20), 0, 1e-12);
  EXPECT_GT(spread(0.5 * (std::sqrt(5.0) - 1), 200), 0.37);
}

TEST(FrameStride, AvoidsARepeatThatTheTargetHits) {
  // 1/8 of a period of 960 steps is 120 steps: after 8 frames the phases would repeat.
  const int stride = frame_stride(960, 0.125, 300);
  EXPECT_NE(stride, 120);
  EXPECT_NEAR(stride, 120, 6);
  EXPECT_GT(spread(stride / 960.0, 64), 0.05);
}

TEST(FrameStride, PhasesLeaveNoLargeGap) {
  for (const double period : {955.3, 966.7, 1443.2}) {
    const int stride = frame_stride(period, 0.116034, 300);
    std::vector<double> phases;
    for (int k = 0; k < 300; ++k) phases.push_back(std::fmod(k * stride / period, 1.0));
    std::sort(phases.begin(), phases.end());
    double gap = 1 - phases.back() + phases.front();
    for (std::size_t k = 1; k < phases.size(); ++k) gap = std::max(gap, phases[k] - phases[k - 1]);
    EXPECT_LT(gap, 12.0 / 300) << period;
  }
}

TEST(FrameStride, RefusesWhatCannotWork) {
  EXPECT_THROW(frame_stride(0, 0.1, 10), Error);
  EXPECT_THROW(frame_stride(900, 0, 10), Error);
  EXPECT_THROW(frame_stride(1, 1, 10), Error);  // every stride is a whole number of periods
}

}  // namespace
}  // namespace fluidsplat::sim
