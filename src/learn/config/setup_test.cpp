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

TEST(Setup, SensorsOfAPublishedProtocolAreThoseOfTorch) {
  const auto data = toy_wake();
  SensorConfig c;
  c.kind = SensorKind::kRandomEach;
  c.generator = SensorGenerator::kTorch;
  c.count = 6;
  c.seed = 1;
  const field::SensorPlacement sensors(make_sensors(c, data), data);
  EXPECT_EQ(sensors.of(0).points, field::torch_randperm(data.mesh(0)->size(), 1, 6));
  EXPECT_EQ(sensors.layout().positions.row(3), data.mesh(0)->points.row(sensors.of(0).points[3]));
  TrainConfig config;
  config.data.file = "x.h5";
  config.sensors = c;
  EXPECT_NO_THROW(config.check());
  config.sensors.kind = SensorKind::kRandom;
  EXPECT_THROW(config.check(), Error) << "these have places on every mesh";
}

}  // namespace
}  // namespace fluidsplat::learn
