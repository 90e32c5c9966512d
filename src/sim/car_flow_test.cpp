// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/car_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

using ::testing::HasSubstr;

CarFlowSettings coarse() {
  CarFlowSettings s;
  s.panel_size = 0.25;
  s.rows = 1;
  return s;
}

TEST(CarFlow, StagnatesAtTheNoseAndSucksOnTheRoof) {
  CarCase c;
  c.speed = 20;
  const auto flow = car_pressure(c, coarse());
  const auto& cloud = flow.cloud;
  // Half the square of the speed, at the nose and, since there is no wake, at the tail.
  double nose = 0, roof = 0, count = 0;
  for (Index i = 0; i < cloud.values.size(); ++i)
    if (cloud.points(0, i) < 0.1) nose = std::max(nose, cloud.values[i]);
  EXPECT_NEAR(nose, 200, 10);
  for (Index i = 0; i < cloud.values.size(); ++i)
    if (cloud.points(2, i) > 0.97 * c.shape.height) {
      roof += cloud.values[i];
      ++count;
    }
  EXPECT_LT(roof / count, -40);
}

TEST(CarFlow, PressureGoesWithTheSquareOfTheSpeed) {
  CarCase slow, fast;
  slow.speed = 15;
  fast.speed = 30;
  const auto a = car_pressure(slow, coarse()).cloud.values, b = car_pressure(fast, coarse()).cloud.values;
  EXPECT_LT((4 * a - b).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(CarFlow, YawTurnsLeftAndRightApart) {
  CarCase c;
  const auto sum_of_sides = [&](double yaw) {
    c.yaw = yaw;
    const auto cloud = car_pressure(c, coarse()).cloud;
    double sum = 0;
    for (Index i = 0; i < cloud.values.size(); ++i) sum += cloud.points(1, i) * cloud.values[i];
    return sum;
  };
  const double straight = sum_of_sides(0), turned = sum_of_sides(8);
  EXPECT_NEAR(straight, 0, 1e-4 * std::abs(turned));
  EXPECT_NEAR(sum_of_sides(-8), -turned, 1e-4 * std::abs(turned));
}

TEST(CarFlow, DrawsAreThoseOfSeedNumberAndAttempt) {
  const auto a = random_car_case(1, 7, 0), again = random_car_case(1, 7, 0);
  EXPECT_EQ(a.speed, again.speed);
  EXPECT_EQ(a.shape.slant, again.shape.slant);
  EXPECT_NE(a.speed, random_car_case(2, 7, 0).speed);
  EXPECT_NE(a.speed, random_car_case(1, 8, 0).speed);
  EXPECT_NE(a.speed, random_car_case(1, 7, 1).speed);
  EXPECT_NEAR(a.stream().norm(), a.speed, 1e-12);
  EXPECT_NEAR(std::acos(a.stream().x() / a.speed) * 180 / 3.14159265358979, a.yaw, 1e-6);
}

TEST(CarFlow, ThereAreAboutAsManyRowsAsAskedFor) {
  auto s = coarse();
  s.rows = 20000;
  const auto flow = car_pressure({}, s);
  EXPECT_NEAR(double(flow.cloud.values.size()), 20000, 6000);
  EXPECT_EQ(flow.cloud.values.size() % flow.panels, 0);
}

TEST(CarFlow, WhatCannotBeRightIsRefused) {
  const auto complaint = [](Eigen::VectorXd cp, double drag) {
    try {
      check_pressure(cp, drag);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint(Eigen::Vector3d(0.98, -1, 0), 0), "");
  EXPECT_THAT(complaint(Eigen::Vector3d(0.98, std::nan(""), 0), 0), HasSubstr("not finite"));
  EXPECT_THAT(complaint(Eigen::Vector3d(1.2, -1, 0), 0), HasSubstr("1.200"));
  EXPECT_THAT(complaint(Eigen::Vector3d(0.4, -1, 0), 0), HasSubstr("0.400"));
  EXPECT_THAT(complaint(Eigen::Vector3d(0.98, -40, 0), 0), HasSubstr("-40.0"));
  EXPECT_THAT(complaint(Eigen::Vector3d(0.98, -1, 0), 0.2), HasSubstr("drag of 0.2"));
}

}  // namespace
}  // namespace fluidsplat::sim
