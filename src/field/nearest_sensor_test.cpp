// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/nearest_sensor.h"

#include <gtest/gtest.h>

#include <limits>

namespace fluidsplat::field {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

Mesh line() {
  Mesh mesh;
  mesh.points.resize(5, 2);
  mesh.points << 0, 0, 1, 0, 2, 0, 3, 0, 4, 0;
  mesh.features.resize(5, 0);
  return mesh;
}

TEST(NearestSensor, EveryPointSaysWhatItsNearestSensorSays) {
  SensorReadings readings{Matrix(2, 2), Matrix(2, 1), {}};
  readings.positions << 0, 1, 3, 0;
  readings.values << 7, 9;
  const auto field = nearest_sensor_field(readings, line());
  ASSERT_TRUE(field);
  Matrix expected(5, 1);
  expected << 7, 7, 9, 9, 9;  // the point 1 is sqrt(2) and 2 away
  EXPECT_EQ(*field, expected);
}

TEST(NearestSensor, SilentSensorsArePassedOver) {
  SensorReadings readings{Matrix(3, 2), Matrix(3, 2), {}};
  readings.positions << 0, 0, 2, 0, 4, 0;
  readings.values << 1, 10, kNothing, 20, 3, kNothing;
  const auto field = nearest_sensor_field(readings, line());
  ASSERT_TRUE(field);
  Matrix expected(5, 2);
  expected << 1, 10, 1, 10, 1, 20, 3, 20, 3, 20;
  EXPECT_EQ(*field, expected);
  readings.values.col(0).setConstant(kNothing);
  EXPECT_FALSE(nearest_sensor_field(readings, line())) << "of one channel nobody says anything";
}

}  // namespace
}  // namespace fluidsplat::field
