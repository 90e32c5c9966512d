// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ldc3d_channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::benchmarks {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

constexpr Index kSide = 4, kCells = kSide * kSide * kSide;

std::vector<double> reynolds() {
  return std::vector<double>(kCells, 320.5);
}
std::vector<double> distance(double sign = 1) {
  std::vector<double> d(kCells);
  for (Index i = 0; i < kCells; ++i) d[i] = sign * (i == 21 ? -0.3 : 0.1 + 0.01 * double(i));
  return d;
}
// The body is cell 21, inside.
std::vector<double> mask(double fluid = 255, double body = 0) {
  std::vector<double> m(kCells, fluid);
  m[21] = body;
  return m;
}

auto says(const std::string& text) {
  return Throws<Error>(Property(&Error::what, HasSubstr(text)));
}

TEST(Ldc3dChannels, AreFoundInAnyOrder) {
  EXPECT_EQ(find_ldc3d_channels({reynolds(), distance(), mask()}, "X"), (Ldc3dChannels{0, 1, 2}));
  EXPECT_EQ(find_ldc3d_channels({distance(), mask(), reynolds()}, "X"), (Ldc3dChannels{2, 0, 1}));
  EXPECT_EQ(find_ldc3d_channels({mask(0, 1), reynolds(), distance()}, "X"), (Ldc3dChannels{1, 2, 0}));
  // An empty cavity.
  EXPECT_EQ(find_ldc3d_channels({mask(255, 255), reynolds(), distance()}, "X"), (Ldc3dChannels{1, 2, 0}));
}

TEST(Ldc3dChannels, WhatCannotBeToldIsAnError) {
  EXPECT_THAT(
      [] {
        find_ldc3d_channels({reynolds(), reynolds(), distance()}, "X, case 0");
      },
      says("X, case 0: cannot tell its channels apart"));
  EXPECT_THAT([] { find_ldc3d_channels({mask(), mask(), distance()}, "X"); }, says("looks like a mask"));
  EXPECT_THAT([] { find_ldc3d_channels({distance(), distance(), mask()}, "X"); }, says("like a distance"));
  EXPECT_THAT([] { find_ldc3d_channels({mask(0, 7), reynolds(), distance()}, "X"); }, says("cannot tell"));
}

TEST(Ldc3dChannels, TheFluidIsWhatTouchesTheWallsAndItsDistanceIsPositive) {
  for (const bool ones : {false, true})
    for (const double sign : {1.0, -1.0}) {
      const auto g =
          read_ldc3d_geometry({reynolds(), distance(sign), ones ? mask(0, 1) : mask()}, {0, 1, 2}, kSide, "X");
      EXPECT_EQ(g.reynolds, 320.5);
      for (Index i = 0; i < kCells; ++i) {
        ASSERT_EQ(g.fluid[i] != 0, i != 21);
        ASSERT_EQ(g.distance[i], distance()[i]);
      }
    }
}

TEST(Ldc3dChannels, AnotherOrderInALaterCaseIsAnError) {
  EXPECT_THAT(
      [] {
        read_ldc3d_geometry({distance(), reynolds(), mask()}, {0, 1, 2}, kSide, "X, case 4");
      },
      says("X, case 4: its channels are not in the first case's order"));
  EXPECT_THAT([] { read_ldc3d_geometry({mask(), distance(), reynolds()}, {0, 1, 2}, kSide, "X"); }, says("order"));
  auto negative = reynolds();
  for (double& r : negative) r = -r;
  EXPECT_THAT(
      [&] {
        read_ldc3d_geometry({negative, distance(), mask()}, {0, 1, 2}, kSide, "X");
      },
      says("Reynolds number (channel 0) is -320.5"));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
