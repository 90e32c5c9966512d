// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/cylinder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

TEST(Cylinder, SteadyFlowIsSymmetricWithoutLift) {
  // Below the onset of shedding the kick dies out and the two halves of the wake mirror each other.
  CylinderCase c;
  c.reynolds = 20;
  c.cells_per_diameter = 8;
  CylinderFlow flow(c);
  flow.advance(60);
  EXPECT_NEAR(flow.lift(), 0, 2e-3);
  EXPECT_NEAR(flow.drag(), 2.05, 0.15);  // published: 2.00 to 2.10
  WakeImage image;
  flow.read(image);
  const PixelWindow& w = c.window;
  for (int row = 0; row < w.rows / 2; ++row) {
    for (int column = 0; column < w.columns; ++column) {
      const std::size_t low = static_cast<std::size_t>(row * w.columns + column);
      const std::size_t high = static_cast<std::size_t>((w.rows - 1 - row) * w.columns + column);
      ASSERT_NEAR(image.u[low], image.u[high], 5e-3) << row << " " << column;
      ASSERT_NEAR(image.v[low], -image.v[high], 5e-3) << row << " " << column;
      ASSERT_NEAR(image.vorticity[low], -image.vorticity[high], 5e-2) << row << " " << column;
    }
  }
  // Stagnation: pressure coefficient 2 p somewhat above 1 at this Reynolds number, just before the cylinder.
  const std::size_t nose = static_cast<std::size_t>(55 * w.columns + 7);
  EXPECT_GT(2 * image.pressure[nose], 0.9);
  EXPECT_LT(2 * image.pressure[nose], 1.4);
}

TEST(Cylinder, TimeIsInConvectiveUnits) {
  CylinderCase c;
  c.cells_per_diameter = 8;
  CylinderFlow flow(c);
  EXPECT_DOUBLE_EQ(flow.time_step(), 0.1 / 8);
  flow.advance(0.5);
  EXPECT_NEAR(flow.time(), 0.5, 0.01);
}

TEST(Cylinder, RefusesImpossibleCases) {
  const auto with = [](auto change) {
    CylinderCase c;
    c.cells_per_diameter = 8;
    change(c);
    CylinderFlow flow(c);
  };
  EXPECT_THROW(with([](CylinderCase& c) { c.reynolds = -1; }), Error);
  EXPECT_THROW(with([](CylinderCase& c) { c.lattice_velocity = 0.5; }), Error);
  EXPECT_THROW(with([](CylinderCase& c) { c.cells_per_diameter = 1; }), Error);
  EXPECT_THROW(with([](CylinderCase& c) { c.downstream = 10; }), Error);  // shorter than the window
  EXPECT_THROW(with([](CylinderCase& c) { c.sponge = 30; }), Error);
  EXPECT_THROW(with([](CylinderCase& c) { c.height = 0; }), Error);
}

}  // namespace
}  // namespace fluidsplat::sim
