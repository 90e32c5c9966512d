// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/index.h"
#include "sim/shape.h"

namespace fluidsplat::sim {

// A NACA airfoil with chord 1, leading edge at (0, 0) and a closed trailing edge at (1, 0).
//
// Digits need not be whole numbers.  Three are the 4-digit series: largest camber in percent, its place in tenths (0:
// no camber, as in AirfRANS), and the thickness in percent.  Four are the 5-digit series: design lift (times 20/3), the
// place of the largest camber in twentieths, 0 or 1 for a plain or reflexed camber line, and the thickness in percent.
class NacaAirfoil {
 public:
  // `panels`, an even number, of the closed polygon that distances are measured to.
  explicit NacaAirfoil(std::vector<double> digits, Index panels = 400);

  const std::vector<double>& digits() const { return digits_; }
  double camber(double x) const;
  double camber_slope(double x) const;
  double half_thickness(double x) const;

  // Of the polygon that the outline is taken for.
  double area() const { return area_; }

  struct SurfacePoint {
    Vec2 position, normal;  // the normal points into the fluid; at the trailing edge it is the mean of both sides
    double arclength;       // share of the perimeter from the trailing edge over the upper side
  };
  // `count` points, an even number, closer together at both edges, from the trailing edge counter-clockwise.
  std::vector<SurfacePoint> surface(Index count) const;

  struct Nearest {
    Vec2 point, normal;
    double distance;  // positive in the fluid
  };
  Nearest nearest(Vec2 p) const;
  double signed_distance(Vec2 p) const { return nearest(p).distance; }

 private:
  std::vector<Vec2> outline(Index count) const;

  std::vector<double> digits_;
  double thickness_ = 0;
  // Camber lines of both series are polynomials before and behind a place: see camber().
  double top_ = 0, place_ = 0;                    // 4-digit
  double join_ = 0, factor_ = 0, aft_ratio_ = 0;  // 5-digit
  std::vector<SurfacePoint> polygon_;
  double area_ = 0;
};

// "NACA 2412", "NACA 23012"; digits that are not whole numbers as "NACA 2.3 4.1 12.5".
std::string airfoil_name(const std::vector<double>& digits);

}  // namespace fluidsplat::sim
