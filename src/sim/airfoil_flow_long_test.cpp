// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "sim/airfoil_flow.h"

namespace fluidsplat::sim {
namespace {

AirfoilReport naca0012(double reynolds, double angle, double cells) {
  AirfoilCase c;
  c.reynolds = reynolds;
  c.angle = angle;
  c.cells_per_chord = cells;
  return AirfoilFlow(c).run();
}

// Lockard et al. (AIAA Journal 40, 2002) and Imamura et al. (J. Comput. Phys. 202, 2005) have 0.172 to 0.176 for the
// drag at Reynolds number 500, zero angle, with two lattice-Boltzmann codes and CFL3D.
TEST(AirfoilFlowLong, DragOfNaca0012AtReynolds500) {
  const auto report = naca0012(500, 0, 96);
  ASSERT_TRUE(report.steady);
  EXPECT_NEAR(report.drag, 0.175, 0.007);
  EXPECT_NEAR(report.lift, 0, 1e-3);
}

// Kurtulus (Int. J. Micro Air Vehicles 7, 2015) and Di Ilio et al. (Computers & Fluids 166, 2018): at Reynolds number
// 1,000 the drag at zero angle is 0.12, the lift about 0.24 at 5 degrees, and vortices are shed from about 8 degrees
// on.
TEST(AirfoilFlowLong, DragAndOnsetOfSheddingAtReynolds1000) {
  const auto zero = naca0012(1000, 0, 72);
  ASSERT_TRUE(zero.steady);
  EXPECT_NEAR(zero.drag, 0.12, 0.006);
  const auto small = naca0012(1000, 5, 72);
  EXPECT_NEAR(small.lift, 0.24, 0.015);
  EXPECT_LT(small.lift_amplitude, 0.005);
  const auto shedding = naca0012(1000, 12, 72);
  EXPECT_FALSE(shedding.steady);
  EXPECT_GT(shedding.lift_amplitude, 0.02);
}

TEST(AirfoilFlowLong, ForcesConvergeWithTheLattice) {
  const auto coarse = naca0012(500, 3, 32), middle = naca0012(500, 3, 64), fine = naca0012(500, 3, 128);
  EXPECT_LT(std::abs(middle.drag - fine.drag), 0.6 * std::abs(coarse.drag - fine.drag));
  EXPECT_LT(std::abs(middle.lift - fine.lift), 0.6 * std::abs(coarse.lift - fine.lift));
  EXPECT_NEAR(middle.drag, fine.drag, 0.03 * fine.drag);
  EXPECT_NEAR(middle.lift, fine.lift, 0.04 * fine.lift);
}

}  // namespace
}  // namespace fluidsplat::sim
