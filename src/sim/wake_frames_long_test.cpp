// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "sim/wake_frames.h"

namespace fluidsplat::sim {
namespace {

TEST(WakeFramesLong, FineCylinderAtReynolds100AgreesWithThePublishedNumbers) {
  CylinderFlow flow(CylinderCase::fine());
  WakeOptions options;
  options.frames = 20;
  std::vector<float> mean(flow.settings().window.size());
  const WakeReport report = make_wake_frames(flow, options, [&](const WakeFrame& frame) {
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += frame.image.u[k] / 20;
  });
  ASSERT_TRUE(report.complete);
  EXPECT_GT(report.strouhal, 0.163);
  EXPECT_LT(report.strouhal, 0.168);
  EXPECT_GT(report.drag_mean, 1.33);
  EXPECT_LT(report.drag_mean, 1.38);
  EXPECT_GT(report.lift_amplitude, 0.32);
  EXPECT_LT(report.lift_amplitude, 0.345);

  // The mean flow turns back behind the cylinder over a known length: 1.4 diameters from its rear.
  const PixelWindow& w = flow.settings().window;
  int column = int(w.centre_column) + 8;
  while (mean[55 * w.columns + column] < 0) ++column;
  EXPECT_NEAR((column - w.centre_column) / w.pixels_per_diameter - 0.5, 1.4, 0.15);
}

}  // namespace
}  // namespace fluidsplat::sim
