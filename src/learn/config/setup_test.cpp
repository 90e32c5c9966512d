// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/setup.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "field/sensor_placement.h"
#include "learn/config/toy_wake.h"

namespace fluidsplat::learn {
namespace {

TEST(Setup, SensorErrorsNameTheKeyAndTheRemedy) {
  const auto data = toy_wake();
  SensorConfig c;
  c.kind = SensorKind::kCells;
  c.cells = {{0, 100}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c.cells = {{0.5, 1}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c.cells = {{1}};
  EXPECT_THROW(make_sensors(c, data), Error);
  c = {};
  c.channels = {"q"};
  EXPECT_THROW(make_sensors(c, data), Error);
  c = {};
  c.kind = SensorKind::kPositions;
  c.positions = {{400, 2}};
  EXPECT_THROW(field::SensorPlacement(make_sensors(c, data), data), Error) << "a sensor far outside the domain";
  c.positions = {{1, 2, 3}};
  EXPECT_THROW(make_sensors(c, data), Error);
}

}  // namespace
}  // namespace fluidsplat::learn
