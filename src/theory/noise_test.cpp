// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/noise.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::theory {
namespace {

Matrix shedding(int times, int sensors, double noise) {
  Random random(8);
  Matrix readings(times, sensors);
  for (Index i = 0; i < times; ++i)
    for (Index j = 0; j < sensors; ++j)
      readings(i, j) =
          3 + std::sin(0.3 * double(i) + double(j)) + 0.2 * std::cos(0.6 * double(i)) + noise * random.normal();
  return readings;
}

TEST(Noise, IsSeenUnderASmoothSignal) {
  for (double noise : {0.003, 0.05, 0.5})
    EXPECT_NEAR(noise_from_time_series(shedding(500, 8, noise)), noise, 0.12 * noise);
  EXPECT_LT(noise_from_time_series(shedding(500, 8, 0)), 1e-3);
}

TEST(Noise, IsSeenOnAFieldByItsNeighbours) {
  for (int d : {1, 2, 3}) {
    Random random(3, d);
    const Points points = uniform_points(unit_box(d), 4000, random);
    Vector values = 2 * points.col(0).array() + points.col(d - 1).array().sin();
    EXPECT_LT(noise_from_neighbours(points, values), 0.02);
    for (double& v : values) v += 0.1 * random.normal();
    EXPECT_NEAR(noise_from_neighbours(points, values), 0.1, 0.006);
  }
}

// A jump that a tenth of the points see is structure, not noise.
TEST(Noise, IsNotMadeOfThinLayers) {
  Random random(5);
  const Points points = uniform_points(unit_box(2), 4000, random);
  Vector values(4000);
  for (Index i = 0; i < 4000; ++i) values[i] = (points(i, 0) > 0.5 ? 10 : 0) + 0.1 * random.normal();
  EXPECT_NEAR(noise_from_neighbours(points, values), 0.1, 0.015);
}

TEST(Noise, SurvivesPointsOnALine) {
  Points line = Points::Zero(100, 2);
  for (Index i = 0; i < 100; ++i) line(i, 0) = double(i);
  EXPECT_LT(noise_from_neighbours(line, line.col(0)), 1e-9);
}

TEST(Noise, NeedsEnoughReadings) {
  EXPECT_THROW(noise_from_time_series(Matrix::Zero(7, 3)), Error);
  EXPECT_THROW(noise_from_neighbours(Points::Zero(5, 2), Vector::Zero(5)), Error);
}

}  // namespace
}  // namespace fluidsplat::theory
