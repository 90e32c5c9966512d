// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_cloud.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/airfoil_set.h"

namespace fluidsplat::benchmarks {
namespace {

double area(const AirfoilCloud& cloud, const std::array<Index, 4>& quad) {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto a = cloud.points[quad[k]], b = cloud.points[quad[(k + 1) % 4]];
    sum += 0.5 * (a.x * b.y - b.x * a.y);
  }
  return sum;
}

TEST(AirfoilCloud, CoversTheBoxAroundAnyAirfoilWithoutFolds) {
  for (Index k = 0; k < 12; ++k) {
    const auto plan = plan_airfoil({}, k);
    const sim::NacaAirfoil airfoil(plan.name.digits);
    const auto cloud = make_airfoil_cloud(airfoil);
    double sum = 0;
    for (const auto& quad : cloud.quads) {
      ASSERT_GT(area(cloud, quad), 0) << to_string(plan.name);
      sum += area(cloud, quad);
    }
    // All of the box but the airfoil; quads that span a corner of the box cut it off.
    EXPECT_NEAR(sum, 18 - airfoil.area(), 0.05);
    for (Index p = cloud.around; p < std::ssize(cloud.points); ++p) ASSERT_GT(cloud.distance[p], 0);
  }
}

// No place of the near wake is farther from a point of the cloud than a twentieth of a chord.
TEST(AirfoilCloud, CoversTheWake) {
  const auto cloud = make_airfoil_cloud(sim::NacaAirfoil({2, 4, 12}));
  for (double x = 1; x < 1.5; x += 0.02)
    for (double y = -0.2; y < 0.2; y += 0.02) {
      double nearest = 1e9;
      for (const auto& p : cloud.points) nearest = std::min(nearest, std::hypot(p.x - x, p.y - y));
      ASSERT_LT(nearest, 0.05) << x << " " << y;
    }
}

TEST(AirfoilCloud, IsDenseAtTheWall) {
  const auto cloud = make_airfoil_cloud(sim::NacaAirfoil({2, 4, 12}));
  for (Index i = 0; i < cloud.around; ++i) {
    EXPECT_EQ(cloud.distance[i], 0);
    EXPECT_LT(cloud.distance[cloud.at(1, i)], 0.0021);
    // Around the trailing edge grid lines leave the wall aslant.
    if (i > 10 && i < cloud.around - 10) {
      EXPECT_NEAR(cloud.distance[cloud.at(1, i)], 0.002, 1e-4);
    }
  }
  const auto near = std::count_if(cloud.distance.begin(), cloud.distance.end(), [](double d) { return d < 0.1; });
  EXPECT_GT(double(near) / double(cloud.points.size()), 0.4);
}

}  // namespace
}  // namespace fluidsplat::benchmarks
