// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/frame_stride.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/phase_gap.h"

namespace fluidsplat::sim {
namespace {

constexpr double kLongest = 0.12;

// Periods between those of 4 and 60 cells per diameter, none of them near a simple fraction of steps.
std::vector<double> many_periods() {
  std::vector<double> periods;
  for (int whole = 240; whole < 3700; whole += 59)
    for (const double rest : {std::numbers::phi - 1, std::numbers::sqrt2 - 1, std::numbers::e - 2})
      periods.push_back(whole + rest);
  return periods;
}

std::vector<double> phases(double period, int stride, int frames) {
  std::vector<double> result;
  for (int k = 0; k < frames; ++k) result.push_back(double(k) * stride / period);
  return result;
}

TEST(FrameStride, NoTwoFramesAreCloserThanAThirdOfTheMeanGap) {
  for (const int frames : {3, 10, 50, 300, 1000, 5000})
    for (const double period : many_periods()) {
      const FrameStride stride = frame_stride({period, 0}, kLongest, frames);
      const double gap = smallest_phase_gap(phases(period, stride.steps, frames));
      EXPECT_GT(gap, 1.0 / 3) << frames << " frames of period " << period;
      EXPECT_NEAR(gap, stride.gap, 1e-6);
    }
}

TEST(FrameStride, KeepsItsPromiseWithinThePeriodsUncertainty) {
  for (const int frames : {300, 1000, 5000})
    for (const double period : many_periods()) {
      const double uncertainty = period / (frames * frames);
      const FrameStride stride = frame_stride({period, uncertainty}, kLongest, frames);
      EXPECT_GT(stride.gap, 1.0 / 3) << frames << " frames of period " << period;
      for (const double error : {-1.0, -0.3, 0.6, 1.0})
        EXPECT_GE(smallest_phase_gap(phases(period + error * uncertainty, stride.steps, frames)), stride.gap - 1e-3)
            << frames << " frames of period " << period;
    }
}

TEST(FrameStride, IsNeverLongerThanAskedNorMuchShorter) {
  for (const double period : many_periods()) {
    const int steps = frame_stride({period, 0}, kLongest, 1000).steps;
    EXPECT_LE(steps, kLongest * period);
    EXPECT_GE(steps, 0.8 * (kLongest * period - 1));
  }
}

// A part of the series must not leave most of the cycle out: in the first tenth the widest gap is less than three mean
// gaps, but for the odd period.  Without regard to the first frames it is ten at one period in ten.
TEST(FrameStride, FirstFramesAreSpreadToo) {
  int uneven = 0;
  for (const double period : many_periods()) {
    const int steps = frame_stride({period, 0}, kLongest, 1000).steps;
    std::vector<double> part = phases(period, steps, 100);
    for (double& phase : part) phase -= std::floor(phase);
    std::sort(part.begin(), part.end());
    double gap = 1 - part.back() + part.front();
    for (std::size_t k = 1; k < part.size(); ++k) gap = std::max(gap, part[k] - part[k - 1]);
    uneven += 100 * gap > 3;
  }
  EXPECT_LT(uneven, 0.02 * double(many_periods().size()));
}

TEST(FrameStride, SaysWhenEveryStrideRepeats) {
  // A period of 240 steps has 240 phases: enough for 200 frames, too few for 300.
  EXPECT_GT(frame_stride({240, 0}, kLongest, 200).gap, 1.0 / 3);
  EXPECT_NEAR(frame_stride({240, 0}, kLongest, 300).gap, 0, 1e-9);
  EXPECT_NEAR(frame_stride({1, 0}, 1, 10).gap, 0, 1e-9);
}

TEST(FrameStride, RefusesWhatIsNoPeriodAndNoStep) {
  EXPECT_THROW(frame_stride({0, 0}, 0.1, 10), std::logic_error);
  EXPECT_THROW(frame_stride({900, 0}, 0, 10), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::sim
