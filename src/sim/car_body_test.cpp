// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/car_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "base/error.h"
#include "sim/flat_panel.h"

namespace fluidsplat::sim {
namespace {

using ::testing::HasSubstr;

Eigen::AlignedBox3d box_of(const PanelMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const auto& v : mesh.vertices) box.extend(v);
  return box;
}

TEST(CarBody, RandomCarsAreClosedAndHaveTheirMeasures) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const auto shape = random_car(random);
    ASSERT_NO_THROW(check_car(shape)) << "car " << k;
    const auto mesh = car_mesh(shape, 0.16);
    ASSERT_NO_THROW(check_closed(mesh, "car"));
    const auto box = box_of(mesh);
    EXPECT_NEAR(box.min().x(), 0, 1e-12);
    EXPECT_NEAR(box.max().x(), shape.length, 1e-12);
    EXPECT_NEAR(box.max().y(), -box.min().y(), 1e-12) << "left and right differ";
    EXPECT_LE(box.sizes().y(), shape.width);
    EXPECT_GE(box.sizes().y(), 0.9 * shape.width);
    EXPECT_NEAR(box.min().z(), shape.ride_height, 0.02);
    EXPECT_NEAR(box.max().z(), shape.height, 0.1);
    for (const auto& panel : flat_panels(mesh)) EXPECT_GT(panel.area(), 1e-5);
  }
}

// The highest point of a slice of the car.
double roof_at(const PanelMesh& mesh, double x) {
  double high = 0;
  for (const auto& v : mesh.vertices)
    if (std::abs(v.x() - x) < 0.05) high = std::max(high, v.z());
  return high;
}

TEST(CarBody, TheRoofLineIsThatOfTheDrawing) {
  CarShape s;
  s.slant = 40;
  const auto mesh = car_mesh(s, 0.08);
  EXPECT_NEAR(roof_at(mesh, 0.6), s.bonnet_height, 0.06);
  EXPECT_NEAR(roof_at(mesh, 2.7), s.height, 0.04);
  EXPECT_NEAR(roof_at(mesh, 3.95), s.deck_height, 0.06);
  // Half way up the windscreen.
  const double screen = (s.height - s.bonnet_height) / std::tan(s.windscreen * 3.14159265 / 180);
  EXPECT_NEAR(roof_at(mesh, s.bonnet_length + 0.5 * screen), 0.5 * (s.height + s.bonnet_height), 0.07);
}

TEST(CarBody, SmallerPanelsAreMoreAndEncloseTheSame) {
  const auto coarse = car_mesh({}, 0.16), fine = car_mesh({}, 0.08);
  EXPECT_GT(fine.panels.size(), 3 * coarse.panels.size());
  EXPECT_NEAR(enclosed_volume(coarse) / enclosed_volume(fine), 1, 0.01);
}

TEST(CarBody, MeasuresThatDoNotFitAreNamed) {
  const auto complaint = [](const auto& change) {
    CarShape s;
    change(s);
    try {
      car_mesh(s, 0.2);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint([](CarShape& s) { s.roof_length = 4; }), HasSubstr("roof_length = 4"));
  EXPECT_THAT(complaint([](CarShape& s) { s.ride_height = 0; }), HasSubstr("ride_height = 0"));
  EXPECT_THAT(complaint([](CarShape& s) { s.height = 0.8; }), HasSubstr("height = 0.8"));
  EXPECT_THAT(complaint([](CarShape& s) { s.rounding = 0.9; }), HasSubstr("rounding = 0.9"));
  EXPECT_THAT(complaint([](CarShape& s) { s.length = std::nan(""); }), HasSubstr("length = nan"));
}

}  // namespace
}  // namespace fluidsplat::sim
