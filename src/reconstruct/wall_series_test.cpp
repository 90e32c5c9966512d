// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/wall_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace fluidsplat::reconstruct {
namespace {

constexpr Index kPoints = 200;

// A circle of radius 1 in a stream along x, the wall shuffled; with the pressure of an ideal flow plus a constant.
struct Circle {
  std::shared_ptr<field::Mesh> mesh = std::make_shared<field::Mesh>();
  field::Schema schema;
  field::ForceSettings settings;

  Circle() {
    schema.coordinates = {{"x", "m"}, {"y", "m"}};
    schema.channels = {{"p", "Pa"}};
    mesh->points.resize(kPoints, 2);
    mesh->normals.resize(kPoints, 2);
    for (Index i = 0; i < kPoints; ++i) {
      const double t = 2 * std::numbers::pi * double(i * 37 % kPoints) / kPoints;
      mesh->points.row(i) << float(std::cos(t)), float(std::sin(t));
      mesh->surface.push_back(i);
    }
    mesh->normals = mesh->points;
    mesh->features.resize(kPoints, 0);
    settings.channel = "p";
    settings.kind = "absolute";
    settings.reference_pressure = 100;
    settings.density = 2;
    settings.velocity = 3;
    settings.length = 2;
    settings.drag_direction = {1, 0};
    settings.moment_centre = {0, 0};
  }
  // cp = 1 - 4 sin^2 t - push cos t, whose drag is push pi / 2.
  field::Matrix fields(double push) const {
    field::Matrix out(kPoints, 1);
    for (Index i = 0; i < kPoints; ++i) {
      const double x = mesh->points(i, 0), y = mesh->points(i, 1);
      out(i, 0) = float(100 + 9 * (1 - 4 * y * y - push * x));
    }
    return out;
  }
};

TEST(WallSeries, ForcesAndPressureOfAKnownFlow) {
  Circle c;
  WallSeries series(c.settings, c.schema);
  series.add(0.5, c.mesh, c.fields(0), {});
  series.add(1.5, c.mesh, c.fields(0.4), {});
  EXPECT_THAT(series.forces().header, testing::ElementsAre("time", "drag", "lift", "moment"));
  EXPECT_NEAR(series.forces().column("drag")[0], 0, 1e-4);
  EXPECT_NEAR(series.forces().column("drag")[1], 0.4 * std::numbers::pi / 2, 1e-3);
  EXPECT_NEAR(series.forces().column("lift")[1], 0, 1e-4);
  EXPECT_NEAR(series.forces().column("moment")[1], 0, 1e-4);

  const auto& p = series.pressure();
  ASSERT_EQ(p.rows(), 2u * kPoints);
  for (std::size_t k = 0; k < kPoints; ++k) {
    EXPECT_EQ(p.column("time")[k], 0.5);
    if (k > 0) {
      EXPECT_GT(p.column("arclength")[k], p.column("arclength")[k - 1]) << "one walks along the wall";
    }
    const double t = 2 * std::numbers::pi * p.column("arclength")[k];
    EXPECT_NEAR(p.column("x")[k], std::cos(t), 1e-3);
    EXPECT_NEAR(p.column("cp")[k], 1 - 4 * std::pow(p.column("y")[k], 2), 1e-4);
  }
}

TEST(WallSeries, AMeshWithoutAWallIsRefused) {
  Circle c;
  c.mesh->surface.clear();
  c.mesh->normals.resize(0, 2);
  WallSeries series(c.settings, c.schema);
  EXPECT_THROW(series.add(0, c.mesh, c.fields(0), {}), Error);
  c.settings.velocity = 0;
  Circle whole;
  WallSeries unknown(c.settings, c.schema);
  EXPECT_THROW(unknown.add(0, whole.mesh, whole.fields(0), {}), Error) << "no speed";
}

}  // namespace
}  // namespace fluidsplat::reconstruct
