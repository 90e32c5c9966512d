// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/naca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::sim {
namespace {

// Where a camber line is highest, by looking.
double highest_at(const NacaAirfoil& airfoil) {
  double best = 0;
  for (double x = 0; x <= 1; x += 0.0005)
    if (airfoil.camber(x) > airfoil.camber(best)) best = x;
  return best;
}

TEST(Naca, FourDigitsSayCamberPlaceAndThickness) {
  const NacaAirfoil airfoil({2, 4, 12});
  EXPECT_NEAR(airfoil.camber(0.4), 0.02, 1e-12);
  EXPECT_NEAR(highest_at(airfoil), 0.4, 1e-3);
  // Abbott and von Doenhoff, Theory of Wing Sections (1959): a symmetric 12 % section is 6.002 % thick on each side at
  // 30 % of the chord, 5.294 % at the middle, 2.623 % at 80 %.  Theirs has an open trailing edge: the coefficient of
  // x^4 is -0.1015 there.
  for (const auto& [x, published] : {std::pair{0.3, 0.06002}, {0.5, 0.05294}, {0.8, 0.02623}})
    EXPECT_NEAR(airfoil.half_thickness(x), published - 5 * 0.12 * (0.1036 - 0.1015) * std::pow(x, 4), 2e-5);
  EXPECT_NEAR(airfoil.half_thickness(1), 0, 1e-12);
  EXPECT_EQ(NacaAirfoil({2, 0, 12}).camber(0.4), 0);
}

TEST(Naca, FiveDigitCamberLinesAreThePublishedOnes) {
  // The camber line 230 (Jacobs and Pinkerton 1935): join 0.2025, factor 15.957; behind it a straight line.
  const NacaAirfoil plain({2, 3, 0, 12});
  EXPECT_NEAR(highest_at(plain), 0.15, 1e-3);
  EXPECT_NEAR(plain.camber(0.5), 15.957 / 6 * std::pow(0.2025, 3) * 0.5, 2e-5);
  EXPECT_NEAR(plain.camber_slope(0.3), plain.camber_slope(0.9), 1e-12);
  // 241 is reflexed: join 0.3180, factor 6.520, ratio 0.0303.
  const NacaAirfoil reflexed({2, 4, 1, 12});
  const double m = 0.3180, ratio = 0.0303, x = 0.5;
  const double published =
      6.520 / 6 * (ratio * std::pow(x - m, 3) - ratio * std::pow(1 - m, 3) * x - m * m * m * x + m * m * m);
  EXPECT_NEAR(reflexed.camber(x), published, 5e-5);
  EXPECT_GT(reflexed.camber_slope(1), plain.camber_slope(1)) << "turns up behind";
}

TEST(Naca, CamberLinesAreSmoothAndEndOnTheChord) {
  for (const auto& digits : std::vector<std::vector<double>>{
           {0, 0, 12}, {4.2, 3.7, 15}, {2, 3, 0, 12}, {3.1, 7.4, 0, 9}, {1.7, 3.3, 1, 18}, {4, 5, 1, 10}}) {
    const NacaAirfoil airfoil(digits);
    EXPECT_NEAR(airfoil.camber(0), 0, 1e-12);
    EXPECT_NEAR(airfoil.camber(1), 0, 1e-12);
    for (double x = 0.01; x < 0.99; x += 0.01) {
      const double h = 1e-6, difference = (airfoil.camber(x + h) - airfoil.camber(x - h)) / (2 * h);
      EXPECT_NEAR(airfoil.camber_slope(x), difference, 1e-4) << airfoil_name(digits) << " at " << x;
    }
  }
}

TEST(Naca, SurfaceRunsFromTheTrailingEdgeOverTheUpperSide) {
  const NacaAirfoil airfoil({2, 4, 12});
  const auto points = airfoil.surface(100);
  ASSERT_EQ(points.size(), 100u);
  EXPECT_NEAR(points[0].position.x, 1, 1e-12);
  EXPECT_NEAR(points[0].position.y, 0, 1e-12);
  EXPECT_NEAR(points[50].position.x, 0, 1e-12);
  EXPECT_GT(points[25].position.y, 0);
  EXPECT_LT(points[75].position.y, 0);
  EXPECT_NEAR(points[50].arclength, 0.5, 0.02);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    EXPECT_NEAR(std::hypot(p.normal.x, p.normal.y), 1, 1e-12);
    if (i > 0) {
      EXPECT_GT(p.arclength, points[i - 1].arclength);
    }
    const double step = 1e-3;
    EXPECT_GT(airfoil.signed_distance({p.position.x + step * p.normal.x, p.position.y + step * p.normal.y}), 0) << i;
  }
  // A fortieth of the chord before the nose the stream meets a blunt wall.
  EXPECT_LT(points[50].normal.x, -0.9);
  EXPECT_GT(points[0].normal.x, 0.9);
}

TEST(Naca, DistanceIsSignedAndExactWhereItCanBeSaid) {
  const NacaAirfoil airfoil({0, 0, 12});
  EXPECT_NEAR(airfoil.signed_distance({3, 0}), 2, 1e-9);
  EXPECT_NEAR(airfoil.signed_distance({-1.5, 0}), 1.5, 1e-9);
  EXPECT_NEAR(airfoil.signed_distance({0.3, 1}), 1 - 0.06, 1e-3);
  EXPECT_NEAR(airfoil.signed_distance({0.3, 0}), -0.06, 1e-3);
  EXPECT_LT(airfoil.signed_distance({0.999, 0}), 0) << "solid up to the trailing edge";
  const auto nearest = airfoil.nearest({0.3, 0.2});
  EXPECT_NEAR(nearest.normal.y, 1, 1e-3);
  EXPECT_NEAR(nearest.point.x, 0.3, 5e-3);
  // The area of this family is 0.685 times the thickness.
  EXPECT_NEAR(airfoil.area(), 0.685 * 0.12, 5e-4);
}

TEST(Naca, RefusesWhatIsNoAirfoil) {
  EXPECT_THROW(NacaAirfoil({12}), Error);
  EXPECT_THROW(NacaAirfoil({2, 10, 12}), Error);
  EXPECT_THROW(NacaAirfoil({2, 4, 0}), Error);
  EXPECT_THROW(NacaAirfoil({2, 4, NAN}), Error);
  EXPECT_THROW(NacaAirfoil({2, 3, 2, 12}), Error);
  EXPECT_THROW(NacaAirfoil({2, 7, 1, 12}), Error);
  EXPECT_THROW(NacaAirfoil({2, 4, 12}, 33), Error);
}

TEST(Naca, NamesAreTheUsualOnes) {
  EXPECT_EQ(airfoil_name({0, 0, 8}), "NACA 0008");
  EXPECT_EQ(airfoil_name({2, 3, 0, 12}), "NACA 23012");
  EXPECT_EQ(airfoil_name({2.5, 4, 12}), "NACA 2.5 4 12");
}

}  // namespace
}  // namespace fluidsplat::sim
